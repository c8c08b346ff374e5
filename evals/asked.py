"""What a case asks and where the admin shows it, by its name: a golden one, one of the owner's own, a suggestion."""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from evals import golden, own_cases
from evals.asking import Asker
from evals.before_publishing import suggested
from evals.golden import Case
from evals.models import OwnCase
from records.models import Owner


def questions(languages: Iterable[str], reader: User | AnonymousUser) -> dict[str, str]:
    """Return what cases of these languages ask, by name, each after what it follows, as far as `reader` may know it.

    A visitor's words are for whoever may read turns, and leave with their visitor. Raises GoldenSetError.
    """
    owner = Owner.objects.first()
    own = own_cases.load(of_visitors=reader.has_perm("assistant.view_turn"))
    asker = Asker(owner, own={**own, **suggested.cases(owner)})
    shapes: dict[str, type[Case]] = {**golden.SHAPES, suggested.NAME: Case}
    return {
        case.id: asker.text(" → ".join([*golden.before(case), case.question]), language)
        for language in languages
        for suite, shape in shapes.items()
        for case in asker.cases(shape, suite, language)
    }


def address(case: str) -> str:
    """Return the page of a case: all its runs, or where its words are changed."""
    if case.startswith(OwnCase.PREFIX):
        return reverse("admin:evals_owncase_change", args=[case.removeprefix(OwnCase.PREFIX)])
    if case.startswith(f"{suggested.NAME}-"):
        return reverse("admin:records_owner_changelist")
    return reverse("admin:evals_run_case", args=[case])
