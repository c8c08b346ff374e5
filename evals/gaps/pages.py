"""The pages of gaps and of use, and the same as CSV. Addresses and rights are the admin's (`evals.gap_admin`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, StreamingHttpResponse

from assistant import spreadsheet
from evals.gaps import found, use
from evals.gaps.found import PERIODS, State
from metering.bars import bars

Context = dict[str, Any]
Rows = Iterator[Sequence[object]]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page's address asks for: `?days=`, `?language=` and `?state=`; what is none of the choices is left out."""

    days: int
    language: str
    state: State

    @classmethod
    def of(cls, request: HttpRequest) -> "Shown":
        days, language, state = (request.GET.get(name, "") for name in ("days", "language", "state"))
        return cls(
            days=next((period for period in PERIODS if str(period) == days), PERIODS[1]),
            language=language if language in dict(settings.LANGUAGES) else "",
            state=next((each for each in State if each == state), State.OPEN),
        )

    @property
    def query(self) -> str:
        """The same as an address has it."""
        return f"days={self.days}&language={self.language}&state={self.state}"


def gaps(request: HttpRequest) -> Context:
    """What the site could not answer, in groups."""
    shown = Shown.of(request)
    groups = found.gaps(found.since(shown.days), shown.language, shown.state)
    return {**_choices(shown), "states": list(State), "gaps": groups, "most": found.MOST}


def usage(request: HttpRequest) -> Context:
    """How the site was used: what was asked, in which languages, what was cited, what answers cost and took."""
    shown = Shown.of(request)
    start, language = found.since(shown.days), shown.language
    days = use.days(start, language)
    return {
        **_choices(shown),
        "days_asked": days,
        "bars": bars([day.count for day in days]),
        "questions": use.top_questions(start, language),
        "by_language": use.languages(start),
        "records": use.records(start, language),
        "answers": use.answers(start, language),
    }


def gaps_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The gaps that the page shows, a row each."""
    shown = Shown.of(request)
    return _file("gaps", _gap_rows(shown))


def usage_csv(request: HttpRequest, table: str) -> StreamingHttpResponse:
    """One table of the page of use; raises Http404 for one that it has not."""
    if table not in _TABLES:
        raise Http404
    return _file(table, _TABLES[table](Shown.of(request)))


def _choices(shown: Shown) -> Context:
    return {
        "shown": shown,
        "periods": PERIODS,
        "languages": [code for code, _name in settings.LANGUAGES],
        "kept": settings.TRAVA.RETENTION_DAYS,
    }


def _gap_rows(shown: Shown) -> Rows:
    yield [
        "questions", "why", "state", "languages", "asked", "conversations", "first_asked", "last_asked",
        "nearest_record", "keep_until",
    ]  # fmt: skip
    for gap in found.gaps(found.since(shown.days), shown.language, shown.state):
        yield [
            [each.text for each in gap.examples],
            list(dict.fromkeys(each.reason for each in gap.examples)),
            gap.state.value,
            [f"{code}: {count}" for code, count in gap.languages],
            gap.count,
            gap.conversations,
            gap.first.isoformat(),
            gap.last.isoformat(),
            gap.nearest.slug if gap.nearest else "",
            min(each.keep_until for each in gap.examples).date().isoformat(),
        ]


def _question_rows(shown: Shown) -> Rows:
    yield ["question", "asked", "unanswered", "languages", "keep_until"]
    for top in use.top_questions(found.since(shown.days), shown.language):
        keep_until = found.keep_until(top.turn).date().isoformat()
        yield [top.turn.question, top.count, top.unanswered, list(top.languages), keep_until]


def _language_rows(shown: Shown) -> Rows:
    yield ["language", "asked", "unanswered", "refused"]
    yield from ([row.name, row.count, row.unanswered, row.refused] for row in use.languages(found.since(shown.days)))


def _day_rows(shown: Shown) -> Rows:
    yield ["day", "asked", "unanswered", "refused"]
    rows = use.days(found.since(shown.days), shown.language)
    yield from ([row.name, row.count, row.unanswered, row.refused] for row in rows)


def _record_rows(shown: Shown) -> Rows:
    yield ["record", "title", "answers"]
    rows = use.records(found.since(shown.days), shown.language)
    yield from ([row.record.slug, row.record.title, row.answers] for row in rows)


def _answer_rows(shown: Shown) -> Rows:
    yield [
        "worded_by", "answers", "ms_p50", "ms_p95", "cost_microusd_p50", "cost_microusd_p95", "cost_microusd_total",
    ]  # fmt: skip
    for row in use.answers(found.since(shown.days), shown.language):
        yield [row.provider, row.n, row.ms.half, row.ms.most, row.cost.half, row.cost.most, row.cost.total]


_TABLES = {
    "questions": _question_rows,
    "languages": _language_rows,
    "days": _day_rows,
    "records": _record_rows,
    "answers": _answer_rows,
}


def _file(name: str, rows: Rows) -> StreamingHttpResponse:
    response = StreamingHttpResponse(spreadsheet.lines(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response["Cache-Control"] = "no-store"
    return response
