"""Passages are exact ranges of the text, stay within their section, and keep their ids when text only moves."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from records.chunking import MOST_WORDS, read

WORDS = st.sampled_from(["water", "level", "bridge", "Norrow", "at", "night", "3.5", "e.g.", "1,200", "Dr.", "queue"])
SENTENCE = st.lists(WORDS, min_size=3, max_size=40).map(lambda words: " ".join(words).capitalize() + ".")
PARAGRAPH = st.lists(SENTENCE, min_size=1, max_size=20).map(" ".join)
HEADING = st.tuples(st.integers(1, 4), st.sampled_from(["Results", "Caveats", "The table", "What came"])).map(
    lambda parts: "#" * parts[0] + " " + parts[1]
)
OTHER = st.sampled_from(
    ["- one item\n- another item", "```\nsome code\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "> A quotation.", "---"]
)
MARKDOWN = st.lists(st.one_of(PARAGRAPH, PARAGRAPH, HEADING, OTHER), max_size=12).map("\n\n".join)
ANYTHING = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


def long(sentences):
    """Sentences of ten words each."""
    return " ".join(f"Sentence number {number} of this text has exactly ten words." for number in range(sentences))


class TestRanges:
    @given(st.one_of(MARKDOWN, ANYTHING))
    def test_a_passage_is_what_stands_in_its_range(self, markdown):
        document = read(markdown, "a", "en")
        assert all(document.text[chunk.start : chunk.end] == chunk.text for chunk in document.chunks)
        assert all(chunk.text == chunk.text.strip() != "" for chunk in document.chunks)

    @given(MARKDOWN)
    def test_passages_do_not_overlap_and_each_lies_within_one_section(self, markdown):
        document = read(markdown, "a", "en")
        assert all(first.end <= second.start for first, second in pairwise(document.chunks))
        for chunk in document.chunks:
            around = [section for section in document.sections if section.start <= chunk.start < section.end]
            assert [section.path for section in around] == [chunk.section_path]
            assert chunk.end <= around[0].end

    @given(st.lists(st.one_of(PARAGRAPH, HEADING), max_size=10))
    def test_every_word_of_prose_is_in_a_passage_in_order(self, blocks):
        document = read("\n\n".join(blocks), "a", "en")
        prose = [block for block in blocks if not block.startswith("#")]
        assert " ".join(chunk.text for chunk in document.chunks).split() == " ".join(prose).split()

    @given(MARKDOWN)
    def test_no_passage_is_longer_than_the_limit(self, markdown):
        assert all(len(chunk.text.split()) <= MOST_WORDS for chunk in read(markdown, "a", "en").chunks)

    def test_text_without_a_full_stop_is_cut_all_the_same(self):
        sizes = [len(chunk.text.split()) for chunk in read("word " * 1000, "a", "en").chunks]
        assert sum(sizes) == 1000
        assert max(sizes) <= MOST_WORDS


class TestSizes:
    def test_short_paragraphs_of_a_section_share_a_passage(self):
        document = read("One.\n\nTwo.\n\n# Other\n\nThree.", "a", "en")
        assert [chunk.text for chunk in document.chunks] == ["One.\n\nTwo.", "Three."]

    def test_a_paragraph_within_the_limit_is_never_cut(self):
        document = read(f"{long(14)}\n\n{long(13)}", "a", "en")
        assert [len(chunk.text.split()) for chunk in document.chunks] == [140, 130]

    def test_a_long_paragraph_is_cut_between_sentences_into_parts_of_like_size(self):
        document = read(long(16), "a", "en")
        assert [len(chunk.text.split()) for chunk in document.chunks] == [80, 80]
        assert all(chunk.text.endswith(".") for chunk in document.chunks)

    def test_its_parts_stay_alike_beside_a_neighbour(self):
        document = read(f"{long(16)}\n\n{long(14)}", "a", "en")
        assert [len(chunk.text.split()) for chunk in document.chunks] == [80, 80, 140]

    def test_three_chinese_characters_count_as_two_words(self):
        document = read("水" * 200 + "\n\n" + "桥" * 100, "a", "zh")
        assert [len(chunk.text) for chunk in document.chunks] == [200, 100]

    def test_code_parts_passages_and_belongs_to_none(self):
        document = read("Before.\n\n```\nx = 1\n```\n\nAfter.", "a", "en")
        assert [chunk.text for chunk in document.chunks] == ["Before.", "After."]
        assert "x = 1" in document.text


class TestIds:
    @given(MARKDOWN)
    def test_ids_are_unique_within_a_text(self, markdown):
        uids = [chunk.uid for chunk in read(markdown, "a", "en").chunks]
        assert len(set(uids)) == len(uids)

    def test_renamed_headings_and_another_order_keep_ids(self):
        before = read("# One\n\nFirst text.\n\n# Two\n\nSecond text.", "a", "en")
        after = read("# Zwei\n\nSecond text.\n\n## Eins\n\nFirst text.", "a", "en")
        assert {chunk.uid for chunk in before.chunks} == {chunk.uid for chunk in after.chunks}

    def test_markup_alone_does_not_change_an_id(self):
        plain, marked = read("The same text.", "a", "en"), read("The *same*\ntext.", "a", "en")
        assert plain.chunks[0].uid == marked.chunks[0].uid

    def test_record_language_text_and_occurrence_make_the_id(self):
        chunks = [
            *read("# A\n\nTwice.\n\n# B\n\nTwice.", "a", "en").chunks,
            *read("Twice.", "a", "pt").chunks,
            *read("Twice.", "b", "en").chunks,
            *read("Once.", "a", "en").chunks,
        ]
        assert len({chunk.uid for chunk in chunks}) == 5

    def test_section_paths_follow_the_levels_of_headings(self):
        document = read("# A\n\na\n\n### C\n\nc\n\n## B\n\nb\n\n# D\n\nd", "a", "en")
        assert [chunk.section_path for chunk in document.chunks] == [("A",), ("A", "C"), ("A", "B"), ("D",)]
