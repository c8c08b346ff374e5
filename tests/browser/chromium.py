"""The browser that all of these tests use, and the two windows that they look through."""

from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
# Whether something must be scrolled sideways: the page, or the box that the chat scrolls in.
WIDER = """[document.documentElement, document.getElementById('said')]
  .some(box => box && box.scrollWidth > box.clientWidth)"""
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
