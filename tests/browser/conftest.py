"""The browser of these tests. Where there is none they are skipped, which the whole check does not let pass."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.assistant.live_site import live_site
from tests.browser.chromium import ARGUMENTS, CHROMIUM

expect.set_options(timeout=15_000)  # a shared machine may be slow; a wait ends as soon as it can


@pytest.fixture(scope="module")
def desk(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[str]:
    """The site for tests that write through the admin."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log", "tests.browser.desk_site:application") as port:
        yield f"http://127.0.0.1:{port}"


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"No Chromium at {CHROMIUM}.")
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        await launched.close()
