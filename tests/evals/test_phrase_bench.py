"""A phrase is tried before it is saved: by layer 1 itself, on golden questions and on what visitors asked."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from assistant.models import Conversation, RefusalPhrase, Turn
from evals import golden
from evals.models import OwnCase
from evals.phrase_bench import Kind, bench, panel
from guardrails import refusal
from guardrails.extra import ExtraPhrase, ExtraPhrases
from records.models import Owner
from tests.evals import site
from tests.hostile import HARMLESS, TEXTS, Page, is_safe
from tests.records.desk import faults_for_a_screen_reader, sign_in

pytestmark = pytest.mark.django_db

BATTERY = "How long did the battery of the tide gauge last?"


@pytest.fixture
def few(tmp_path, monkeypatch):
    """One golden question of each kind that the bench tells apart, all with the same words in them."""
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    Owner.objects.create(pk=1, name="Livia Aramesh")
    answers = [{"record": "gauge"}]
    for suite, case in {
        "answerable": {"question": BATTERY, "split": "tuning", "answers": answers},
        "near_miss": {"question": "What did the battery of the tide gauge weigh?"},
        "refusal": {"question": "Will the tide gauge's battery outlive {owner}?", "category": "speculation"},
        "no_evidence": {"question": "Which battery starts a tractor?", "split": "tuning"},
    }.items():
        site.write_cases(tmp_path, suite, [case])
    return tmp_path


def phrase(text, category="speculation", language="en"):
    return ExtraPhrase(category, text, language)


def found(groups):
    return {group.kind: [each.question for each in group.refused] for group in groups}


def turn(question, conversation=None, **values):
    conversation = conversation or Conversation.objects.create(language="en")
    return Turn.objects.create(
        conversation=conversation, ordinal=conversation.turns.count() + 1, question=question, language="en",
        state="done", deadline=timezone.now(), **values,
    )  # fmt: skip


class TestBench:
    def test_what_must_be_answered_stands_first_and_each_kind_has_its_number(self, few):
        groups = bench(phrase("battery"))
        assert groups[0].kind is Kind.WRONGLY
        assert found(groups) == {
            Kind.WRONGLY: [BATTERY, "What did the battery of the tide gauge weigh?"],
            Kind.ANSWERED: [],
            Kind.MOVED: [],
            Kind.RIGHTLY: ["Will the tide gauge's battery outlive Livia Aramesh?"],
            Kind.UNANSWERED: [],
            Kind.HARMLESS: ["Which battery starts a tractor?"],
        }
        assert {group.kind: group.asked for group in groups} == {
            Kind.WRONGLY: 2, Kind.ANSWERED: 0, Kind.MOVED: 4, Kind.RIGHTLY: 1, Kind.UNANSWERED: 0, Kind.HARMLESS: 1,
        }  # fmt: skip

    def test_what_layer_1_refuses_without_it_is_not_told_as_its_work(self, few):
        site.write_cases(
            few, "refusal", [{"question": "How much do you charge for a battery?", "category": "commercial"}]
        )
        assert found(bench(phrase("battery", "commercial")))[Kind.RIGHTLY] == []
        moved = found(bench(phrase("battery", "private")))[Kind.MOVED]
        assert moved == ["How much do you charge for a battery?"]

    def test_a_phrase_in_force_takes_its_share_and_one_that_is_edited_does_not(self, few):
        there = RefusalPhrase.objects.create(category="speculation", language="en", text="battery")
        assert found(bench(phrase("tide gauge")))[Kind.WRONGLY] == []
        assert len(found(bench(phrase("tide gauge"), there.pk))[Kind.WRONGLY]) == 2
        assert len(found(bench(phrase("battery"), there.pk))[Kind.WRONGLY]) == 2

    def test_visitors_questions_are_told_apart_by_how_they_ended(self, few):
        turn("Whose battery is it?", route="search")
        turn("Is there a battery museum?", refusal="no_evidence")
        turn("Does the battery check run?", live_check=True)
        groups = found(bench(phrase("battery")))
        assert groups[Kind.ANSWERED] == ["Whose battery is it?"]
        assert groups[Kind.UNANSWERED] == ["Is there a battery museum?"]

    def test_a_follow_up_is_read_with_the_question_before_it_as_in_a_turn(self, few):
        first = turn("Tell me about the secret battery")
        turn("And what about it?", first.conversation)
        turn("And what about it?")
        beside = ExtraPhrases([phrase("secret battery and")])
        joined = refusal.check("And what about it?", first.question, extra=beside)
        expected = ["And what about it?"] if joined else []
        assert found(bench(phrase("secret battery and")))[Kind.ANSWERED] == expected
        assert expected

    def test_the_owners_own_cases_are_asked(self, few):
        OwnCase.objects.create(suite="refusal", category="task", language="de", question="Zeichne mir die Batterie.")
        groups = bench(phrase("zeichne mir die batterie", "task", "de"))
        group = next(each for each in groups if each.kind is Kind.RIGHTLY)
        assert group.by_language == [("de", 1)]

    def test_it_says_of_the_shipped_golden_sets_what_the_product_then_does(self):
        """Every question of ten languages, against the engine with the phrase in force."""
        Owner.objects.create(pk=1, name="Livia Aramesh", aliases=["Livia"])
        told = {each.question for group in bench(phrase("tide")) for each in group.refused}
        RefusalPhrase.objects.create(category="speculation", language="en", text="tide")
        none_left = {each.question for group in bench(phrase("tide")) for each in group.refused}
        assert told
        assert none_left == set()


def typed(**values):
    return {"text": "battery", "category": "speculation", "language": "en", "active": "on", "note": "", **values}


class TestPage:
    add = "admin:assistant_refusalphrase_add"

    def test_the_button_shows_it_with_what_was_typed_and_saves_nothing(self, client, few):
        sign_in(client, "owner")
        assert 'name="_try"' in client.get(reverse(self.add)).content.decode()
        answer = client.post(reverse(self.add), typed(note="Mine.", _try="yes"))
        told = answer.content.decode()
        assert answer.status_code == 200
        assert "What “battery” would refuse" in told
        assert BATTERY in told
        assert 'value="Mine."' in told
        assert "errornote" not in told
        assert not RefusalPhrase.objects.exists()
        assert client.post(reverse(self.add), typed()).status_code == 302
        assert RefusalPhrase.objects.get().text == "battery"

    def test_a_change_is_tried_against_the_others_and_the_row_stays(self, client, few):
        there = RefusalPhrase.objects.create(category="task", language="en", text="tractor")
        sign_in(client, "owner")
        address = reverse("admin:assistant_refusalphrase_change", args=[there.pk])
        told = client.post(address, typed(_try="yes")).content.decode()
        assert BATTERY in told
        assert RefusalPhrase.objects.get().text == "tractor"

    def test_what_is_no_phrase_says_why_and_is_not_tried(self, client, few):
        sign_in(client, "owner")
        told = client.post(reverse(self.add), typed(text="?!", _try="yes")).content.decode()
        assert "only signs" in told
        assert "bench-heading" not in told

    @pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
    def test_a_phrase_and_a_visitors_words_add_no_element(self, few, text):
        turn(f"Does the battery {HARMLESS}?")
        harmless = Page(panel(phrase(HARMLESS), None, may_read_turns=True))
        turn(f"Does the battery {text[:1_900]}?")
        page = Page(panel(phrase(text[:120]), None, may_read_turns=True))
        assert is_safe(page)
        assert set(page.shapes) <= set(harmless.shapes)

    def test_a_visitors_words_are_escaped(self, client, few):
        turn("<script>battery</script>")
        sign_in(client, "owner")
        told = client.post(reverse(self.add), typed(_try="yes")).content.decode()
        assert "&lt;script&gt;battery" in told
        assert "<script>battery" not in told

    def test_whoever_may_not_read_turns_gets_their_number_alone(self, client, few):
        turn("Whose battery is it?")
        user = sign_in(client, "editor")
        user.user_permissions.set(Permission.objects.filter(codename__in=["add_refusalphrase", "view_refusalphrase"]))
        told = client.post(reverse(self.add), typed(_try="yes")).content.decode()
        assert "Asked by visitors and answered" in told
        assert "1 of 1" in told
        assert "Whose battery is it?" not in told

    @pytest.mark.parametrize("role", ["editor", "reviewer"])
    def test_others_try_nothing(self, client, few, role):
        there = RefusalPhrase.objects.create(category="task", language="en", text="tractor")
        sign_in(client, role)
        address = reverse("admin:assistant_refusalphrase_change", args=[there.pk])
        assert client.post(address, typed(_try="yes")).status_code == 403
        assert client.post(reverse(self.add), typed(_try="yes")).status_code == 403
        assert 'name="_try"' not in client.get(address).content.decode()

    def test_a_screen_reader_finds_nothing_wrong(self, client, few):
        sign_in(client, "owner")
        faults = faults_for_a_screen_reader(client.post(reverse(self.add), typed(_try="yes")))
        assert faults == {"unlabelled": [], "twice": [], "skipped": [], "h1": 1}
