"""`python -m bench.sentences FOLDER [ERRORS]`: precision, recall and F1 of the sentence ends found in prose.

The folder holds the gold: `<code>.<name>.txt` with a sentence a line and an empty line between paragraphs, or
`<code>.<name>.conllu`. A paragraph's sentences are joined by a space, in Chinese by nothing, and its inner ends are
compared. A heading without an end mark can't be told from what follows it: recall is given with such ends (all) and
without. Up to ERRORS differences a file are shown. No corpus comes with the project.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from guardrails.sentence_gap import STOPS
from guardrails.sentences import SentenceSplitter

_MARKED = re.compile(rf"[{re.escape(STOPS)}]\W*\Z")
# A treebank that does not say where a paragraph begins is read in runs of so many sentences.
_RUN = 8
_SHOWN = 34


@dataclass(slots=True)
class Score:
    """Inner sentence ends of one file; `unmarked` are the gold ends without an end mark that were not found."""

    sentences: int = 0
    found: int = 0
    false: int = 0
    missed: int = 0
    unmarked: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.found / ((self.found + self.false) or 1)

    def recall(self, unmarked: int) -> float:
        return self.found / ((self.found + self.missed + unmarked) or 1)

    def f1(self, unmarked: int = 0) -> float:
        precision, recall = self.precision, self.recall(unmarked)
        return 2 * precision * recall / ((precision + recall) or 1)


def paragraphs(path: Path) -> list[list[str]]:
    """The gold sentences of each paragraph."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".conllu":
        return list(_treebank(text.splitlines()))
    return [block.split("\n") for block in re.split(r"\n{2,}", text.strip("\n"))]


def _treebank(lines: list[str]) -> Iterator[list[str]]:
    told = any(line.startswith("# newpar") for line in lines)
    run: list[str] = []
    for line in lines:
        if run and (line.startswith(("# newpar", "# newdoc")) or (not told and len(run) == _RUN)):
            yield run
            run = []
        if line.startswith("# text = "):
            run.append(line.removeprefix("# text = ").strip())
    if run:
        yield run


def split_ends(text: str, language: str, size: int) -> list[int]:
    """Where the splitter ends its sentences when the text comes in deltas of so many characters."""
    splitter = SentenceSplitter(language)
    deltas = (text[start : start + size] for start in range(0, len(text), size))
    return [sentence.end for delta in deltas for sentence in splitter.feed(delta)]


def score(language: str, gold: list[list[str]]) -> Score:
    total = Score()
    joint = "" if language == "zh" else " "
    for sentences in gold:
        text = joint.join(sentences)
        ends = split_ends(text, language, len(text) or 1)
        if any(split_ends(text, language, size) != ends for size in (1, 5)):
            raise ValueError(f"the cutting decides: {text!r}")
        wanted = list(accumulate(len(sentence) + len(joint) for sentence in sentences))[:-1]
        marked = {end for end, sentence in zip(wanted, sentences, strict=False) if _MARKED.search(sentence)}
        total.sentences += len(sentences)
        total.found += len(set(wanted) & set(ends))
        total.false += len(set(ends) - set(wanted))
        total.missed += len(marked - set(ends))
        total.unmarked += len(set(wanted) - marked - set(ends))
        shown = [("cut   ", end) for end in set(ends) - set(wanted)] + [("joined", end) for end in marked - set(ends)]
        total.differences += [
            f"{kind} …{text[max(0, end - _SHOWN) : end]}⏐{text[end : end + _SHOWN]}…" for kind, end in shown
        ]
    return total


def main(arguments: list[str]) -> int:
    folder, shown = Path(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 0
    sys.stdout.write("file, sentences, precision, recall, F1; with the ends that carry no mark: recall, F1\n")
    for path in sorted([*folder.glob("*.txt"), *folder.glob("*.conllu")]):
        result = score(path.name.split(".")[0], paragraphs(path))
        figures = [result.precision, result.recall(0), result.f1()]
        figures += [result.recall(result.unmarked), result.f1(result.unmarked)]
        line = "  ".join(f"{figure:.4f}" for figure in figures)
        sys.stdout.write(f"{path.stem:28} {result.sentences:6}  {line}\n")
        for difference in sorted(result.differences)[:shown]:
            sys.stdout.write(f"    {difference}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
