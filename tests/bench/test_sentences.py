import pytest

from bench.sentences import paragraphs, score


def test_found_missed_and_false_ends_are_told_apart():
    result = score("en", [["It ran.", "A heading", "It stopped by the U.S.", "Senate members came.", "Dr.", "Who?"]])
    assert (result.sentences, result.found, result.missed, result.unmarked, result.false) == (6, 2, 2, 1, 0)
    assert score("en", [["It ran. It stopped.", "It ended."]]).false == 1


def test_f1_is_the_harmonic_mean_with_and_without_unmarked_ends():
    result = score("en", [["It ran.", "A heading", "It stopped.", "It ended."]])
    assert (result.precision, result.recall(0), result.f1()) == (1, 1, 1)
    assert result.f1(result.unmarked) == pytest.approx(2 * (2 / 3) / (1 + 2 / 3))


def test_a_treebank_is_read_by_its_paragraphs(tmp_path):
    path = tmp_path / "en.sample.conllu"
    path.write_text("# newpar\n# text = One.\n1\tOne\n\n# text = Two.\n\n# newpar id = 2\n# text = Three.\n")
    assert paragraphs(path) == [["One.", "Two."], ["Three."]]
    path.write_text("".join(f"# text = {number}.\n" for number in range(9)))
    assert [len(run) for run in paragraphs(path)] == [8, 1]
