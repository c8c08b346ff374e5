"""What machines find the site by: sitemap, feeds, robots.txt. All of it is what the public sees, whoever asks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time
from itertools import groupby
from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps import views as sitemaps
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from records import selectors
from records.access import PUBLIC, visible
from records.models import Kind, Owner, RecordVersion
from records.selectors import RecordView

ENTRIES = 20  # of a feed
ADDRESSES = 1_000  # of a file of the sitemap: each names up to ten translations, and the protocol ends at 50 MB


@dataclass(frozen=True, slots=True)
class Page:
    """A record's page, in every language that it has."""

    kind: str
    slug: str
    languages: tuple[str, ...]
    changed: datetime


def home_path(language: str) -> str:
    """The home page in a language."""
    return reverse("records:home", args=[language])


def absolute(path: str) -> str:
    """The public address of a page."""
    return f"{settings.TRAVA.SITE_URL}{path}"


def languages_of(version: RecordVersion) -> list[str]:
    """The languages in which the public reads a record today."""
    live = RecordVersion.objects.filter(visible(PUBLIC), record=version.record_id, retired_at=None)
    return sorted(live.values_list("language", flat=True))


class Records(Sitemap):  # type: ignore[type-arg]  # not generic at run time
    """Every public record, in the languages that it has, each naming the others."""

    i18n = alternates = True
    protocol = None
    limit = ADDRESSES

    def items(self) -> list[Page]:
        live = RecordVersion.objects.filter(visible(PUBLIC), retired_at=None).order_by("record__slug", "language")
        rows = live.values_list("record__slug", "record__kind", "language", "published_at")
        return [
            Page(same[0][1], slug, tuple(row[2] for row in same), max(row[3] for row in same))
            for slug, group in groupby(rows, key=lambda row: row[0])
            if (same := list(group))
        ]

    def get_languages_for_item(self, item: Page) -> list[str]:
        return list(item.languages)

    def location(self, item: Page) -> str:
        return reverse("records:record", args=[get_language(), item.kind, item.slug])

    def lastmod(self, item: Page) -> datetime:
        return item.changed


class Lists(Sitemap):  # type: ignore[type-arg]  # not generic at run time
    """The home page and the list of each kind, in every language."""

    i18n = alternates = x_default = True

    def items(self) -> list[str]:
        return ["", *Kind.values]

    def location(self, item: str) -> str:
        return reverse("records:kind", args=[get_language(), item]) if item else home_path(get_language())


SITEMAPS: "dict[str, type[Sitemap[Any]] | Sitemap[Any]]" = {"lists": Lists, "records": Records}


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """`/sitemap.xml`: every address, or where those are too many for one file, where the files are."""
    if all(section().paginator.num_pages == 1 for section in (Lists, Records)):
        return sitemaps.sitemap(request, SITEMAPS)
    return sitemaps.index(request, SITEMAPS, sitemap_url_name="records:sitemap-section")


@require_safe
def sitemap_section(request: HttpRequest, section: str) -> HttpResponse:
    """`/sitemap-records.xml?p=2`: a part of it."""
    return sitemaps.sitemap(request, SITEMAPS, section)


class Articles(Feed):  # type: ignore[type-arg]  # not generic at run time
    """`/{lang}/feed.xml`: the newest articles that are written in that language."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *args: Any, **options: Any) -> str:
        return str(options["language"])

    def title(self, language: str) -> str:
        owner = Owner.objects.first()
        with override(language):
            return f"{owner.name_in(language)} · {_('Articles')}" if owner else _("Articles")

    def author_name(self, language: str) -> str:
        owner = Owner.objects.first()
        return owner.name_in(language) if owner else self.title(language)

    def link(self, language: str) -> str:
        return absolute(reverse("records:kind", args=[language, Kind.ARTICLE]))

    def items(self, language: str) -> Iterable[RecordView]:
        return selectors.written_in(Kind.ARTICLE, language, PUBLIC, ENTRIES)

    def item_title(self, item: RecordView) -> str:
        return item.title

    def item_description(self, item: RecordView) -> str:
        return escape(item.summary)  # the feed says that it is HTML

    def item_link(self, item: RecordView) -> str:
        return absolute(reverse("records:record", args=[item.language, item.kind, item.record]))

    def item_guid(self, item: RecordView) -> str:
        return self.item_link(item)

    def item_pubdate(self, item: RecordView) -> datetime | None:
        return timezone.make_aware(datetime.combine(item.start, time())) if item.start else None

    def item_updateddate(self, item: RecordView) -> datetime | None:
        return item.published_at


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """`/robots.txt`: the site is open, but for what is no page of it."""
    closed = "".join(f"Disallow: {path}\n" for path in ("/admin/", "/api/", "/passages/"))
    return HttpResponse(
        f"User-agent: *\n{closed}Sitemap: {absolute(reverse('records:sitemap'))}\n", content_type="text/plain"
    )
