"""The page of groundedness, and the same as CSV: what each part is called is the template's."""

from collections.abc import Iterator, Sequence

from django.http import HttpRequest, StreamingHttpResponse

from assistant import spreadsheet
from evals import groundedness
from evals.dashboard import charts
from evals.groundedness import ALL, PERIODS
from evals.paged import Context


def page(request: HttpRequest) -> Context:
    """Every part with its chart: the shares of its rows; of those by language, what all checks stopped."""
    days = _days(request)
    parts = groundedness.parts(days)
    return {"days": days, "periods": PERIODS, "parts": [(part, charts.bars(_charted(part))) for part in parts]}


def export(request: HttpRequest) -> StreamingHttpResponse:
    """Every row of every part."""
    days = _days(request)
    response = StreamingHttpResponse(spreadsheet.lines(_rows(days)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="groundedness-{days}-days.csv"'
    return response


def _days(request: HttpRequest) -> int:
    asked = request.GET.get("days", "")
    return next((period for period in PERIODS if str(period) == asked), PERIODS[1])


def _charted(part: groundedness.Part) -> list[float]:
    return [row.share or 0.0 for row in part.rows if not row.language or row.name == ALL]


def _rows(days: int) -> Iterator[Sequence[object]]:
    yield ["part", "language", "name", "count", "of", "n", "share", "without_deleted_turns"]
    for part in groundedness.parts(days):
        for row in part.rows:
            share = "" if row.share is None else round(row.share, 4)
            yield [part.name, row.language, row.name, row.count, part.of, row.of, share, part.kept_alone]
