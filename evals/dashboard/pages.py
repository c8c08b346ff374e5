"""The pages: what each shows, as a template's context. Addresses and rights are the admin's (`evals.admin`)."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404

from assistant import floors, spreadsheet
from evals import asked, baseline
from evals import calibration as calibrating
from evals.baseline import Baseline
from evals.dashboard import board, calibrated, charts, comparison, guards
from evals.models import Calibration, CaseResult, Run
from evals.report import Gate
from evals.suites import SUITES
from metering.bars import bars

IN_FULL = 100  # cases of a comparison with all that they gave, those of most interest first; the others by name

Context = dict[str, Any]


def overview(request: HttpRequest) -> Context:
    """All suites and languages, or those that `?suite=` and `?language=` name; one alone with a table of its runs."""
    suite, language = request.GET.get("suite", ""), request.GET.get("language", "")
    lines = board.lines(suite, language)
    return {
        "lines": [(line, charts.line(line.values, [not run.passed for run in line.runs])) for line in lines],
        "broken": [line for line in lines if not line.newest.passed],
        "worse": [line for line in lines if line.newest.passed and line.worse],
        "alone": bool(suite and language),
        "suite": suite,
        "language": language,
        "suites": list(SUITES),
        "languages": sorted(Run.objects.order_by().values_list("language", flat=True).distinct()),
        "floor_state": floors.state(),
    }


def run(request: HttpRequest, pk: int) -> Context:
    """One run beside an earlier one: `?with=` names it, else the last before it of the same suite and language."""
    later = get_object_or_404(Run, pk=pk)
    others = Run.objects.filter(suite=later.suite, language=later.language, started_at__lt=later.started_at)
    beside = request.GET.get("with", "")
    earlier = others.filter(pk=beside).first() if beside.isdigit() else others.first()
    questions = asked.questions([later.language], request.user)
    pairs = comparison.compare(earlier, later, questions) if earlier else []
    first = [] if earlier else comparison.alone(later, questions)
    changed = [pair for pair in pairs if pair.verdict is not comparison.Verdict.SAME]
    suite = SUITES.get(later.suite)
    return {
        "run": later,
        "earlier": earlier,
        "others": others[: board.SHOWN],
        "asks": suite.asks if suite else "",
        "gate": suite.gate if suite else Gate.REPORTED,
        "changes": board.changes(earlier, later) if earlier else [],
        "committed": _committed(baseline.read(), later),
        "pairs": changed[:IN_FULL],
        "more": changed[IN_FULL:],
        "same": [pair for pair in pairs if pair.verdict is comparison.Verdict.SAME],
        "failing": [pair for pair in first if pair.now and not pair.now.passed],
        "passing": [pair for pair in first if pair.now and pair.now.passed],
        "unstable": comparison.unstable_in(later),
    }


def case(request: HttpRequest, name: str) -> Context:
    """Everything that one case gave."""
    is_unstable = bool(comparison.unstable(CaseResult.objects.filter(case=name)))
    results = comparison.history(name)
    languages = {result.run.language for result in results}
    question = asked.questions(languages, request.user).get(name, "")
    return {"case": name, "question": question, "results": results, "unstable": is_unstable}


def triggers(request: HttpRequest) -> Context:
    """How often each guard was triggered, day by day."""
    trends = guards.trends()
    shown = [(trend, bars([day.count for day in trend.days])) for trend in trends]
    return {"trends": shown, "shown_days": guards.SHOWN, "usual_days": guards.USUAL, "fewest": guards.FEWEST}


def calibration(request: HttpRequest, pk: int) -> Context:
    """One calibration as a picture."""
    run, in_force = get_object_or_404(Calibration, pk=pk), floors.current()
    return {
        "calibration": run,
        "pictures": calibrated.pictures(run, in_force),
        "floor_state": floors.state(),
        "in_force": in_force,
        "is_current": calibrating.is_current(run),
    }


def export(request: HttpRequest) -> StreamingHttpResponse:
    """Every case of the runs that the page shows, as CSV."""
    shown = [
        run.pk
        for line in board.lines(request.GET.get("suite", ""), request.GET.get("language", ""))
        for run in line.runs
    ]
    response = StreamingHttpResponse(spreadsheet.lines(_rows(shown)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="evaluation.csv"'
    return response


def _rows(runs: list[int]) -> Iterator[Sequence[object]]:
    yield ["suite", "language", "started_at", "case", "passed", *board.GROUND, "detail"]
    results = CaseResult.objects.filter(run__in=runs).select_related("run").defer("run__figures")
    for result in results.order_by("run", "case").iterator():
        run = result.run
        ground = [getattr(run, column) for column in board.GROUND]
        yield [
            run.suite,
            run.language,
            run.started_at.isoformat(),
            result.case,
            result.passed,
            *ground,
            json.dumps(result.detail, ensure_ascii=False),
        ]


def _committed(known: Baseline, of: Run) -> dict[str, Any]:
    """The baseline's figures for a run's suite and language, by name; none for a run on another ground."""
    is_same = all(known[name] == getattr(of, name) for name in ("embedder", "space", "corpus"))
    is_same = is_same and known["golden"].get(of.language) == of.golden_hash
    return dict(known["figures"].get(of.language, {}).get(of.suite, {})) if is_same else {}
