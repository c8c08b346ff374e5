"""The public pages of records. Every page asks anew what this visitor may read; a refusal shows nothing of it."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import get_language, get_language_from_request, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from records import passage_page, selectors
from records.access import Viewer
from records.citing import cited_version_opened
from records.dates import PartialDate
from records.finding import absolute, languages_of
from records.kind_fields import for_readers
from records.markdown import html
from records.models import DatePrecision, Kind, Owner, RecordVersion
from records.standing import Standing, is_expired, may_open, standing, today

AT_HOME = 6  # records of each kind
A_PAGE = 50  # records of a list
DESCRIPTION = 200  # characters of a text without a summary, for who links to it
KIND_NAMES = {
    Kind.CV: _("Career"),
    Kind.CASE_STUDY: _("Case studies"),
    Kind.ARTICLE: _("Articles"),
    Kind.SERVICE: _("Services"),
}


@require_safe
def to_language(request: HttpRequest) -> HttpResponse:
    """Lead `/` to the home page in the visitor's language."""
    response = HttpResponseRedirect(reverse("records:home", args=[get_language_from_request(request)]))
    response["Vary"] = "Accept-Language, Cookie"
    return response


@require_safe
def home(request: HttpRequest, language: str) -> HttpResponse:
    """`/{lang}/`: the owner, and the newest records of each kind."""
    found = selectors.by_kinds(language, Viewer.of(request.user))
    owner = Owner.objects.first()
    context = {
        "kinds": [
            {"code": kind, "name": name, "records": found[kind][:AT_HOME], "more": len(found[kind]) > AT_HOME}
            for kind, name in KIND_NAMES.items()
            if found[kind]
        ],
        "tagline": owner and _owner_text(owner.tagline, language),
        "contact": owner and _owner_text(owner.contact, language),
        **_addresses(lambda code: reverse("records:home", args=[code]), language),
    }
    return _page(request, "records/home.html", language, context)


@require_safe
def records(request: HttpRequest, language: str, kind: str) -> HttpResponse:
    """`/{lang}/{kind}/`: every record of a kind, newest first; each in the best language there is for this reader."""
    found = selectors.by_kind(Kind(kind), language, Viewer.of(request.user))
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    part = f"?page={page.number}" if page.number > 1 else ""
    context = {
        "kind": kind,
        "kind_name": KIND_NAMES[Kind(kind)],
        "page": page,
        "untranslated": any(view.language != language for view in found),
        **_addresses(lambda code: reverse("records:kind", args=[code, kind]) + part, language),
    }
    return _page(request, "records/list.html", language, context)


def _addresses(path: Callable[[str], str], language: str) -> dict[str, object]:
    """Where a page is that every language has, and the feed of this one."""
    return {
        "canonical": absolute(path(language)),
        "alternates": [(code, absolute(path(code))) for code, _name in settings.LANGUAGES],
        "feed": absolute(reverse("records:feed", args=[language])),
    }


@require_safe
def record(request: HttpRequest, language: str, kind: str, slug: str) -> HttpResponse:
    """`/{lang}/{kind}/{slug}/`: a record's live version, in the best language there is for this reader.

    `?version=` opens the one that was cited, and says how it stands today.
    """
    versions = RecordVersion.objects.filter(record__slug=slug, record__kind=kind).select_related("record")
    cited = request.GET.get("version")
    if cited is not None:
        return _cited_version(request, language, get_object_or_404(versions, pk=_number(cited)))
    if not versions.filter(retired_at=None).exists():
        raise Http404
    version = selectors.live_version(slug, language, Viewer.of(request.user))
    return version_page(request, language, version) if version else _not_available(request, language)


def _cited_version(request: HttpRequest, language: str, version: RecordVersion) -> HttpResponse:
    if not may_open(version, Viewer.of(request.user)):
        return _not_available(request, language)
    live = today(version)
    stands = standing(version, live)
    if stands is Standing.REVOKED:
        response = _page(request, "records/revoked.html", language, {}, HTTPStatus.GONE)
    else:
        response = version_page(request, language, version, standing=stands.value, today=live)
        cited_version_opened(request, language)
    response["X-Robots-Tag"] = "noindex"
    return response


def version_page(request: HttpRequest, language: str, version: RecordVersion, **more: object) -> HttpResponse:
    """A version as readers see it; its preview, too, which is stored nowhere yet."""
    context = {
        "record": selectors.view(version),
        "version": version,
        "kind_name": KIND_NAMES[Kind(version.record.kind)],
        "fields": for_readers(Kind(version.record.kind), version.fields),
        "body": html(version.body),
        "translated": version.language == language,
        "expired": is_expired(version),
        "description": version.summary
        or Truncator(version.text.partition("\n\n")[2] or version.text).chars(DESCRIPTION),
        "published": _known(version) if version.record.kind == Kind.ARTICLE else None,
        "canonical": _address(version, version.language),
        "alternates": [(code, _address(version, code)) for code in languages_of(version)],
        **more,
    }
    return _page(request, "records/record.html", language, context)


def _known(version: RecordVersion) -> PartialDate | None:
    precision = DatePrecision(version.start_precision or DatePrecision.DAY)
    return PartialDate(version.start, precision) if version.start else None


def _address(version: RecordVersion, language: str) -> str:
    return absolute(reverse("records:record", args=[language, version.record.kind, version.record.slug]))


@require_safe
def passage(request: HttpRequest, version: int, uid: str) -> HttpResponse:
    """`/passages/{version}/{uid}/`: a cited passage within the text that it was cited from."""
    language = get_language() or "en"
    page = passage_page.find(version, uid)
    if page is None:
        raise Http404
    if not may_open(page.version, Viewer.of(request.user)):
        return _not_available(request, language)
    gone = page.standing is Standing.REVOKED
    response = _page(
        request,
        "records/revoked.html" if gone else "records/passage.html",
        language,
        {"page": page, "standing": page.standing.value, "kind": page.version.record.kind},
        HTTPStatus.GONE if gone else HTTPStatus.OK,
    )
    if not gone:
        cited_version_opened(request, language)
    response["X-Robots-Tag"] = "noindex"
    return response


def _owner_text(texts: Mapping[str, str], language: str) -> dict[str, str]:
    """What the owner wrote, in the reader's language where there is such a text, else in English, else in any."""
    spoken = next((code for code in (language, "en", *texts) if texts.get(code)), language)
    markdown = texts.get(spoken, "")
    return {"language": spoken, "plain": markdown, "html": html(markdown)}


def _number(text: str) -> int:
    """The number that a part of an address is, or 0, which no row has."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def _not_available(request: HttpRequest, language: str) -> HttpResponse:
    return _page(request, "records/not_available.html", language, {}, HTTPStatus.FORBIDDEN)


def _page(
    request: HttpRequest, template: str, language: str, context: Mapping[str, Any], status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    with override(language):
        return render(request, template, {"language": language, **context}, status=status)
