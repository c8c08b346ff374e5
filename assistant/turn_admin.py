"""The owner's view of what was asked, what was released, what each layer decided of it, and what the visitor said.

Nothing here can be changed but one thing: a word of a visitor is marked as dealt with.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from assistant import exports, floors
from assistant.decision_names import decision_name
from assistant.exports import feedback_of
from assistant.models import Feedback, GuardrailEvent, Turn
from assistant.proofs import proofs_of
from records.access import Viewer
from records.read_only import ReadOnly
from records.templatetags.record_tags import language_name

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    AdminOfTurn = admin.ModelAdmin[Turn]
else:
    AdminOfTurn = admin.ModelAdmin

_STAFF = Viewer(staff=True)


class GuardFilter(admin.SimpleListFilter):
    """Turns in which a guard was triggered."""

    title = _("guard")
    parameter_name = "guard"

    def lookups(self, request: HttpRequest, model_admin: "admin.ModelAdmin[Any]") -> list[tuple[str, str]]:
        names = GuardrailEvent.objects.order_by("guard").values_list("guard", flat=True).distinct()
        return [(name, str(decision_name(name))) for name in names]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Turn]) -> QuerySet[Turn]:
        if not self.value():
            return queryset
        triggered = GuardrailEvent.objects.filter(guard=self.value()).values("turn")
        return queryset.filter(pk__in=triggered)


class DecisionFilter(admin.AllValuesFieldListFilter):
    """Django's own with names for codes, and something to press where a turn has none."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": decision_name(str(choice["display"])) or "–"}


class LanguageFilter(admin.AllValuesFieldListFilter):
    """Django's own with the names of languages."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            code = str(choice["display"])
            yield {**choice, "display": language_name(code) if code in dict(settings.LANGUAGES) else code}


@admin.register(Turn)
class TurnAdmin(ReadOnly, AdminOfTurn):
    """Read alone; exported as CSV and JSON."""

    list_display = ("created_at", "asked", "spoken", "route", "ended", "verdict", "reported")
    list_filter = (
        "live_check",
        "feedback__reported",
        "feedback__verdict",
        "route",
        ("refusal", DecisionFilter),
        ("notice", DecisionFilter),
        ("stop", DecisionFilter),
        GuardFilter,
        ("language", LanguageFilter),
    )
    list_select_related = ("feedback",)
    search_fields = ("question", "feedback__comment")
    date_hierarchy = "created_at"
    ordering = ("-created_at",)
    list_per_page = 50
    actions = ("export_csv", "export_json", "mark_handled")
    fields = ("created_at", "asked_in_full", "said", "word", "decided", "passages", "guards", "made_by", "case")
    readonly_fields = fields

    def get_fields(self, request: HttpRequest, obj: Turn | None = None) -> tuple[str, ...]:
        """The buttons that make a case of it are for whoever may."""
        return self.fields if request.user.has_perm("evals.add_owncase") else self.fields[:-1]

    def has_handle_permission(self, request: HttpRequest) -> bool:
        """Whether this person may mark a visitor's word as dealt with."""
        return request.user.has_perm("assistant.change_feedback")

    @admin.display(description=_("question"))
    def asked(self, turn: Turn) -> str:
        return Truncator(turn.question).chars(80)

    @admin.display(description=_("language"), ordering="language")
    def spoken(self, turn: Turn) -> str:
        return language_name(turn.language)

    @admin.display(description=_("ended with"))
    def ended(self, turn: Turn) -> str:
        return str(decision_name(turn.refusal or turn.notice)) or turn.get_state_display()

    @admin.display(description=_("helpful"), boolean=True)
    def verdict(self, turn: Turn) -> bool | None:
        feedback = feedback_of(turn)
        return None if not feedback or not feedback.verdict else feedback.verdict == Feedback.Verdict.UP

    @admin.display(description=_("reported"), ordering="feedback__reported")
    def reported(self, turn: Turn) -> str:
        feedback = feedback_of(turn)
        if not feedback or not feedback.reported:
            return ""
        return gettext("handled") if feedback.handled_at else gettext("open")

    @admin.display(description=_("question"))
    def asked_in_full(self, turn: Turn) -> SafeString:
        return _part("question", turn=turn)

    @admin.display(description=_("what was released"))
    def said(self, turn: Turn) -> SafeString:
        return _part("released", turn=turn, sentences=proofs_of([turn.pk], _STAFF).get(turn.pk, []))

    @admin.display(description=_("what the visitor said of it"))
    def word(self, turn: Turn) -> SafeString:
        return _part("word", feedback=feedback_of(turn))

    @admin.display(description=_("what the layers decided"))
    def decided(self, turn: Turn) -> SafeString:
        trace = turn.trace
        best, floor = trace.get("best", {}), trace.get("floor", {})
        return _part("decided", turn=turn, best=best, floor=floor, floor_state=floors.state())

    @admin.display(description=_("passages found"))
    def passages(self, turn: Turn) -> SafeString:
        return _part("passages", top=turn.trace.get("top", []))

    @admin.display(description=_("guards triggered"))
    def guards(self, turn: Turn) -> SafeString:
        return _part("guards", events=turn.guardrail_events.order_by("pk"))

    @admin.display(description=_("made by"))
    def made_by(self, turn: Turn) -> SafeString:
        return _part("made_by", turn=turn, usd=turn.cost_microusd / 1_000_000)

    @admin.display(description=_("as a case of the evaluation"))
    def case(self, turn: Turn) -> SafeString:
        made: SafeString = import_string(settings.TURN_CASE)(turn)
        return made

    @admin.action(description=_("Export as CSV"), permissions=["view"])
    def export_csv(self, request: HttpRequest, turns: QuerySet[Turn]) -> HttpResponse:
        return _file(exports.as_csv(turns), "text/csv; charset=utf-8", "csv")

    @admin.action(description=_("Export as JSON"), permissions=["view"])
    def export_json(self, request: HttpRequest, turns: QuerySet[Turn]) -> HttpResponse:
        return _file(exports.as_json(turns), "application/json", "json")

    @admin.action(description=_("Mark what visitors said as dealt with"), permissions=["handle"])
    def mark_handled(self, request: HttpRequest, turns: QuerySet[Turn]) -> None:
        waiting = Feedback.objects.filter(turn__in=turns, handled_at=None)
        count = waiting.update(handled_at=timezone.now(), handled_by=request.user)
        told = ngettext("%(count)s is dealt with.", "%(count)s are dealt with.", count) % {"count": count}
        self.message_user(request, told, messages.SUCCESS)


def _part(name: str, **context: object) -> SafeString:
    return render_to_string(f"admin/assistant/turn/{name}.html", context)


def _file(text: str, kind: str, ending: str) -> HttpResponse:
    response = HttpResponse(text, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="turns-{timezone.localdate():%Y-%m-%d}.{ending}"'
    response["Cache-Control"] = "no-store"
    return response
