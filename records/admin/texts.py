"""Two of a record's texts side by side: the original, and the translation that the page's address asks for."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpRequest

from records.admin.bases import FormSetOfTexts, TextInline
from records.admin.reader import reader_language
from records.admin.text_form import text_form
from records.drafts import CODES, DraftState, original_language, states
from records.models import Kind, Record, RecordText


class TextFormSet(FormSetOfTexts):
    """The forms of the languages that are edited, the original's first; for one without a text, an empty form.

    `title`: what is proposed for a new record.
    """

    languages: ClassVar[tuple[str, ...]] = ()
    original: ClassVar[str] = ""
    title: ClassVar[str] = ""

    def __init__(self, *args: Any, **options: Any) -> None:
        queryset: QuerySet[RecordText] = options.get("queryset") or RecordText.objects.all()
        options["queryset"] = _in_order(queryset.filter(language__in=self.languages), self.languages)
        record: Record | None = options.get("instance")
        written = _written(record) if record is not None and record.pk else set()
        missing = [code for code in self.languages if code not in written]
        self.extra = len(missing)
        options["initial"] = [{"language": code, "title": self.title} for code in missing]
        super().__init__(*args, **options)

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        return {**super().get_form_kwargs(index), "record": self.instance, "original": self.original}


class RecordTextInline(TextInline):
    """The draft in one or two languages."""

    model = RecordText
    formset = TextFormSet
    template = "admin/records/texts.html"
    max_num = 2
    kind: ClassVar[Kind]

    def get_formset(self, request: HttpRequest, obj: Record | None = None, **options: Any) -> type[FormSetOfTexts]:
        options |= {"form": text_form(self.kind), "fields": ("language", "title", "summary", "body", "relations")}
        formset: Any = super().get_formset(request, obj, **options)
        formset.original, formset.languages = edited(request, obj)
        # As a proposal alone: what is posted is compared with an empty form, so a title left as it was proposed counts.
        formset.title = request.GET.get("title", "") if obj is None and request.method == "GET" else ""
        return formset  # type: ignore[no-any-return]  # the stubs know the class less well

    def get_fields(self, request: HttpRequest, obj: Record | None = None) -> tuple[str, ...]:
        return ("language", "title", "summary", "body", "fields", "relations")


def edited(request: HttpRequest, record: Record | None) -> tuple[str, tuple[str, ...]]:
    """Return the original and the languages that the page edits: what was posted decides, then `?language=`."""
    if record is None:
        asked = request.GET.get("language", "")
        return "", (asked if asked in CODES else reader_language(),)
    original = original_language(record, record.texts.all())
    if request.method == "POST":
        posted = (request.POST.get(f"texts-{number}-language", "") for number in range(2))
        return original, tuple(dict.fromkeys(code for code in posted if code in CODES))
    wanted = request.GET.get("language") or _most_wanted(record)
    return original, (original, wanted) if wanted in CODES and wanted != original else (original,)


def _most_wanted(record: Record) -> str | None:
    """The translation to look at when nobody asks for one: what is older than the original, else what there is."""
    found = states(record)
    for state in (DraftState.OLDER, DraftState.TRANSLATED):
        if language := next((code for code, each in found.items() if each is state), None):
            return language
    return None


def _written(record: Record) -> set[str]:
    return set(record.texts.values_list("language", flat=True))


def _in_order(texts: QuerySet[RecordText], languages: Iterable[str]) -> QuerySet[RecordText]:
    places = [When(language=code, then=Value(number)) for number, code in enumerate(languages)]
    if not places:
        return texts.order_by("pk")
    return texts.order_by(Case(*places, output_field=IntegerField()))
