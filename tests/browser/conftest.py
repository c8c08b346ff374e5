"""The browser of these tests and the sites it opens. Without one they are skipped, which fails the whole check."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Playwright, TimeoutError, async_playwright, expect  # noqa: A004

from tests.assistant.conftest import small_site
from tests.assistant.hold import Hold
from tests.assistant.live_site import SLOW, live_site
from tests.browser.chromium import ARGUMENTS, CHROMIUM

__all__ = ["small_site"]

expect.set_options(timeout=15_000)  # a shared machine may be slow; a wait ends as soon as it can


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[str]:
    """The site as it ships."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def desk(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[str]:
    """The site for tests that write through the admin."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log", "tests.browser.desk_site:application") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def holds(tmp_path_factory) -> Path:
    """The file by which answers of a module's slow site are held."""
    return tmp_path_factory.mktemp("holds") / "after"


@pytest.fixture(scope="module")
def slow_site(django_db_setup, django_db_blocker, tmp_path_factory, holds) -> Iterator[str]:
    """The same with a provider that takes its time, and can be held."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log", SLOW, HELD_AFTER=str(holds)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def hold(holds) -> Iterator[Hold]:
    """Holds answers at a sentence, however long the page takes; all are let go at the end."""
    hold = Hold(holds)
    yield hold
    hold.release()


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"No Chromium at {CHROMIUM}.")
    async with async_playwright() as playwright:
        launched = await _launched(playwright)
        yield launched
        await launched.close()


async def _launched(playwright: Playwright) -> Browser:
    """Chromium; begun anew once, since on a busy machine it has been seen to hang while it starts."""
    try:
        return await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=60_000)
    except TimeoutError:
        return await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
