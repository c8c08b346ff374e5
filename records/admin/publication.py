"""Publishing, withdrawing and revoking from the admin: never before a page has said what will happen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from records.admin.addresses import page
from records.admin.bases import AdminOfRecord
from records.citing import answers_citing
from records.drafts import DraftState, original_language, outdated, states
from records.models import Record, RecordVersion
from records.personal_values import undecided
from records.publishing import Pending, pending, publish, revoke, withdraw
from records.templatetags.record_tags import language_name


@dataclass(frozen=True, slots=True)
class Act:
    """One thing to do with records, and the words for it."""

    name: str
    action: str
    title: Promise
    done: Promise
    do: Callable[[Record, User], list[RecordVersion]]


ACTS: Mapping[str, Act] = {
    act.name: act
    for act in (
        Act("publish", "publish_selected", gettext_lazy("Publish"), gettext_lazy("Published."), publish),
        Act(
            "withdraw",
            "withdraw_selected",
            gettext_lazy("Withdraw"),
            gettext_lazy("Withdrawn."),
            lambda record, _by: withdraw(record),
        ),
        Act(
            "revoke",
            "revoke_selected",
            gettext_lazy("Revoke"),
            gettext_lazy("Revoked."),
            lambda record, _by: revoke(record),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Consequence:
    """What an act does to one record. `emptied` counts the published versions that still hold a text.

    `left_behind`: the live translations that publishing would leave older than their corrected original.
    """

    record: Record
    live: tuple[str, ...]
    changes: Mapping[str, Pending]
    left_behind: tuple[str, ...]
    emptied: int
    answers: int

    @property
    def links(self) -> list[SafeString]:
        """A link for each of those left behind."""
        return [side_by_side(self.record, language) for language in self.left_behind]


def consequence(record: Record) -> Consequence:
    """Say what is live of a record, what publishing would change, and how many stored answers rest on it."""
    versions = list(record.versions.filter(revoked_at=None).only("pk", "language", "retired_at", "record"))
    live = tuple(sorted(version.language for version in versions if version.retired_at is None))
    changes = pending(record)
    return Consequence(
        record,
        live,
        changes,
        _left_behind(record, live, changes),
        len(versions),
        answers_citing([version.pk for version in versions]),
    )


def _left_behind(record: Record, live: Iterable[str], changes: Mapping[str, Pending]) -> tuple[str, ...]:
    """The live translations that don't change with their original, and were written before it was."""
    if changes.get(original_language(record, record.texts.all())) != "changed":
        return ()
    drafts = states(record)
    return tuple(code for code in live if code not in changes and drafts[code] is DraftState.OLDER)


def side_by_side(record: Record, language: str) -> SafeString:
    """Return a link to the page that shows the original and the draft in this language beside it."""
    address = f"{page(record, 'change')}?language={language}#texts"
    return format_html('<a href="{}">{}</a>', address, language_name(language))


def rehearsal(request: HttpRequest, records: Sequence[Record], act: str) -> SafeString:
    """Return the button that tries an act out, from the package that evaluates, which this one doesn't know."""
    button: SafeString = import_string(settings.REHEARSAL)(request, records, act)
    return button


class Publication(AdminOfRecord):
    """The buttons of a record's page and the actions of the list, which lead to the same page."""

    def has_publish_permission(self, request: HttpRequest) -> bool:
        """Editors write, and do not publish."""
        return request.user.has_perm("records.publish_record")

    def publication(self, request: HttpRequest, pk: int, act: str) -> HttpResponse:
        """Ask (GET) or do (POST) for one record."""
        if not self.has_publish_permission(request):
            raise PermissionDenied
        record = self.get_object(request, str(pk))
        if record is None:
            raise Http404
        if request.method != "POST":
            return self._ask(request, ACTS[act], [record], selected=False)
        self._apply(request, ACTS[act], [record])
        return HttpResponseRedirect(page(record, "change"))

    def of_selected(self, request: HttpRequest, act: Act, records: QuerySet[Record]) -> HttpResponse | None:
        """Ask, or do for the records that were chosen in the list."""
        records = records.prefetch_related(None)
        if "confirmed" not in request.POST:
            return self._ask(request, act, records, selected=True)
        self._apply(request, act, records)
        return None

    def _ask(self, request: HttpRequest, act: Act, records: Iterable[Record], *, selected: bool) -> HttpResponse:
        records = list(records)
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": act.title,
            "act": act,
            "selected": selected,
            "consequences": [consequence(record) for record in records],
            "rehearsal": rehearsal(request, records, act.name),
        }
        return TemplateResponse(request, "admin/records/confirm.html", context)

    def _apply(self, request: HttpRequest, act: Act, records: Iterable[Record]) -> None:
        records = list(records)
        count = 0
        for record in records:
            changed = act.do(record, request.user)  # type: ignore[arg-type]  # admin users are signed in
            count += len(changed)
            if changed:
                said = ", ".join(f"{version.language} v{version.number}" for version in changed)
                self.log_change(request, record, f"{act.done} {said}")
        text = ngettext("%(count)d version changed.", "%(count)d versions changed.", count)
        self.message_user(request, text % {"count": count}, messages.SUCCESS)
        if act.name == "publish":
            for record in records:
                self._tell_outdated(request, record)
        for record in records:
            if undecided(record):
                found = _(
                    "%(record)s holds what looks like personal data: open it to decide whether answers may show it."
                )
                self.message_user(request, found % {"record": record}, messages.WARNING)

    def _tell_outdated(self, request: HttpRequest, record: Record) -> None:
        codes = outdated().filter(record=record).order_by("language").values_list("language", flat=True)
        if links := format_html_join(", ", "{}", ((side_by_side(record, code),) for code in codes)):
            text = _("{record}: translations that are older than the original now: {languages}")
            self.message_user(request, format_html(text, record=record, languages=links), messages.WARNING)
