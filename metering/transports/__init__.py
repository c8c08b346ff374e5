"""The wire to language models. Importing this loads no SDK; asking for the model does, once."""

from functools import cache

from django.conf import settings

from metering.transports.chat import Chat
from metering.transports.dialect import Dialect
from metering.transports.language_model import LanguageModel
from metering.transports.patience import within


@cache
def language_model() -> LanguageModel | None:
    """Return the model that LLM_PROVIDER, LLM_BASE_URL and LLM_MODEL name; None for `quoting`."""
    chosen = settings.TRAVA
    patience = within(chosen.TURN_DEADLINE)
    key = chosen.LLM_API_KEY.get_secret_value()
    dialect: Dialect
    match chosen.LLM_PROVIDER:
        case "quoting":
            return None
        case "openai":
            from metering.transports.openai import OpenAIDialect

            dialect = OpenAIDialect(chosen.LLM_BASE_URL, chosen.LLM_MODEL, key, patience)
        case "anthropic":
            from metering.transports.anthropic import AnthropicDialect

            dialect = AnthropicDialect(chosen.LLM_BASE_URL, chosen.LLM_MODEL, key, patience)
    return LanguageModel(chosen.LLM_MODEL, Chat(dialect, patience), byte_level=chosen.LLM_TOKENIZER == "byte-bpe")
