"""A calibration as pictures: how similar questions with and without an answer are, and what each floor would trade."""

from collections.abc import Sequence
from dataclasses import dataclass

from evals import asked
from evals.dashboard import charts
from evals.floor_choice import Measured, Point, curve, measure
from evals.models import Calibration
from guardrails.floor import Floors
from metering.bars import Bar, bars

EDGE_CASES = 8  # of either kind, the nearest to the floor


@dataclass(frozen=True, slots=True)
class Edge:
    """Questions at the edge on an axis of their own, from `low` to `high`: where each and the floor stand."""

    low: float
    high: float
    floor_at: float
    marks: tuple[tuple[float, Point], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """One language: two histograms of the best cosine, the trade-off curve, and the questions at the edge."""

    language: str
    answerable: tuple[Bar, ...]
    without: tuple[Bar, ...]
    counts: tuple[tuple[float, int, int], ...]  # the lower end of a bin, answerable, without evidence
    stopped: str
    passed: str
    trade: tuple[tuple[float, float, float], ...]  # floor, stopped, passed
    floor_at: float | None
    measured: Measured | None
    in_force: Measured
    at_the_edge: tuple[Point, ...]
    edge: Edge | None

    @property
    def listed(self) -> list[tuple[Point, str]]:
        """Each question at the edge with the page of its case."""
        return [(point, asked.address(point.case)) for point in self.at_the_edge]


def pictures(run: Calibration, in_force: Floors) -> list[Picture]:
    """Return a picture a language, with what the floors in force do to the same questions."""
    points = [Point(**point) for point in run.points]
    floors = Floors(run.dense, run.words) if run.dense is not None and run.words is not None else None
    languages = sorted({point.language for point in points})
    return [_picture(code, [each for each in points if each.language == code], floors, in_force) for code in languages]


def _picture(language: str, points: Sequence[Point], floors: Floors | None, in_force: Floors) -> Picture:
    held = [point for point in points if point.split == "holdout"]
    answerable, without = (
        charts.histogram([point.dense or 0.0 for point in points if point.should_pass is kind])
        for kind in (True, False)
    )
    trade = tuple(curve(points, floors.words if floors else 1.0))
    at_the_edge = tuple(_nearest(points, floors)) if floors else ()
    return Picture(
        language,
        bars(answerable),
        bars(without),
        tuple(
            (at / charts.BINS, answerable[at], without[at])
            for at in range(charts.BINS)
            if answerable[at] or without[at]
        ),
        charts.path([(dense, stopped) for dense, stopped, _ in trade]),
        charts.path([(dense, passed) for dense, _, passed in trade]),
        trade,
        charts.across(floors.dense) if floors else None,
        measure(held, floors) if floors else None,
        measure(held, in_force),
        at_the_edge,
        _edge(at_the_edge, floors) if floors and at_the_edge else None,
    )


def _edge(points: Sequence[Point], floors: Floors) -> Edge:
    """The points from the left to the right, as a reader who goes from one to the next expects."""
    ordered = sorted(points, key=lambda point: point.dense or 0.0)
    values = [floors.dense, *(point.dense or 0.0 for point in ordered)]
    low, high = min(values), max(values)
    floor_at, *places = charts.zoomed(values, low, high)
    return Edge(low, high, floor_at, tuple(zip(places, ordered, strict=True)))


def _nearest(points: Sequence[Point], floors: Floors) -> list[Point]:
    """The questions that a slightly different floor would decide otherwise, those on the wrong side first."""
    judged = sorted(points, key=lambda point: abs((point.dense or 0.0) - floors.dense))
    wrong = [point for point in judged if point.passes(floors) is not point.should_pass]
    return [*wrong[:EDGE_CASES], *[point for point in judged if point not in wrong][:EDGE_CASES]]
