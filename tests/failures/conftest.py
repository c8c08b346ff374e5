"""The small site of the assistant's tests: what breaks here is what stands around it."""

from tests.assistant.conftest import fresh_limits, small_site

__all__ = ["fresh_limits", "small_site"]
