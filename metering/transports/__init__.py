"""The wire to language models. Importing this loads no SDK and no HTTP client; asking for the model does, once."""

from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

from metering.transports.patience import within

if TYPE_CHECKING:
    from metering.transports.dialect import Dialect
    from metering.transports.model import LanguageModel


@cache
def language_model() -> "LanguageModel | None":
    """Return the model that LLM_PROVIDER, LLM_BASE_URL and LLM_MODEL name; None for `quoting`."""
    chosen = settings.TRAVA
    if chosen.LLM_PROVIDER == "quoting":
        return None
    from metering.transports.chat import Chat
    from metering.transports.model import LanguageModel

    patience = within(chosen.TURN_DEADLINE)
    to = (chosen.LLM_BASE_URL, chosen.LLM_MODEL, chosen.LLM_API_KEY.get_secret_value(), patience)
    dialect: Dialect
    match chosen.LLM_PROVIDER:
        case "openai":
            from metering.transports.openai import OpenAIDialect

            dialect = OpenAIDialect(*to)
        case "anthropic":
            from metering.transports.anthropic import AnthropicDialect

            dialect = AnthropicDialect(*to)
    return LanguageModel(chosen.LLM_MODEL, Chat(dialect, patience), byte_level=chosen.LLM_TOKENIZER == "byte-bpe")
