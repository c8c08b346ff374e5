"""The browser of these tests. Where there is none they are skipped, which the whole check does not let pass."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Playwright, TimeoutError, async_playwright, expect  # noqa: A004

from tests.assistant.hold import Hold
from tests.assistant.live_site import live_site
from tests.browser.chromium import ARGUMENTS, CHROMIUM

expect.set_options(timeout=15_000)  # a shared machine may be slow; a wait ends as soon as it can


@pytest.fixture(scope="module")
def desk(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[str]:
    """The site for tests that write through the admin."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log", "tests.browser.desk_site:application") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def holds(tmp_path_factory) -> Path:
    """The file by which answers of a module's slow site are held."""
    return tmp_path_factory.mktemp("holds") / "after"


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
