"""The page of groundedness, and the same as CSV: with names for the owner, and for programs with codes."""

from collections.abc import Iterator, Sequence

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from assistant import spreadsheet
from assistant.decision_names import decision_name
from evals import groundedness
from evals.groundedness import ALL, PERIODS, Part, Row
from evals.paged import Context
from metering.bars import Bar, bars

_NAMES: dict[str, Promise] = {
    "answered": _("answered"),
    ALL: _("all checks"),
    "with a source": _("with a source"),
    "with a passage": _("with a passage"),
    "without a source": _("without a source"),
    "live": _("on the site"),
    "superseded": _("replaced by a newer version"),
    "withdrawn": _("withdrawn"),
    "revoked": _("revoked"),
    "expired": _("no longer valid"),
    "opened": _("opened"),
    "up": _("helpful"),
    "down": _("not helpful"),
    "reported": _("reported"),
}
_ENDS: dict[str, Promise] = {"refused": _("refused: %(why)s"), "notice": _("notice: %(why)s")}


def page(request: HttpRequest) -> Context:
    """Every part with its chart: the shares of its rows; of those by language, what all checks stopped."""
    days = _days(request)
    parts = [(part, _bars(part), _named(part)) for part in groundedness.parts(days)]
    return {"days": days, "periods": PERIODS, "parts": parts}


def export(request: HttpRequest) -> StreamingHttpResponse:
    """Every row of every part."""
    days = _days(request)
    response = StreamingHttpResponse(spreadsheet.lines(_rows(days)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="groundedness-{days}-days.csv"'
    return response


def _days(request: HttpRequest) -> int:
    asked = request.GET.get("days", "")
    return next((period for period in PERIODS if str(period) == asked), PERIODS[1])


def _named(part: Part) -> list[tuple[str | Promise, Row]]:
    return [(_name(row.name), row) for row in part.rows]


def _name(name: str) -> str | Promise:
    """The name of a row; an end that has a reason is told with it."""
    if name in _NAMES:
        return _NAMES[name]
    end, _, reason = name.rpartition(": ")
    return _ENDS[end] % {"why": decision_name(reason)} if end else decision_name(name)


def _bars(part: Part) -> tuple[Bar, ...]:
    """The chart of a part; none where every share is 0."""
    shares = [row.share or 0.0 for row in part.rows if not row.language or row.name == ALL]
    return bars(shares) if any(shares) else ()


def _rows(days: int) -> Iterator[Sequence[object]]:
    yield ["part", "language", "name", "count", "of", "n", "share", "without_deleted_turns"]
    for part in groundedness.parts(days):
        for row in part.rows:
            share = "" if row.share is None else round(row.share, 4)
            yield [part.name, row.language, row.name, row.count, part.of, row.of, share, part.kept_alone]
