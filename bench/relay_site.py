"""The least that a site with a model behind it can be: a Channels consumer that hands on what the model's stream says.

No sources, no checks, nothing kept. It reads the stream by the same SDK and in the SDK's cheaper way, which hands out
lines: what the product's layers add is counted from here.
"""

import asyncio
import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402  # needs the settings
from openai import AsyncOpenAI  # noqa: E402  # beside what needs the settings

client = AsyncOpenAI(api_key="none", base_url=os.environ["LLM_BASE_URL"], max_retries=0)


class Relay(AsyncWebsocketConsumer):
    """One frame in, the prompt; a frame out for each piece of text, and the socket is closed at the end."""

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Start the stream beside the socket."""
        self._task = asyncio.create_task(self._relay(text_data or ""))

    async def _relay(self, prompt: str) -> None:
        async with client.chat.completions.with_streaming_response.create(
            model="bench", messages=[{"role": "user", "content": prompt}], stream=True
        ) as response:
            async for line in response.iter_lines():
                if line.startswith("data: {"):
                    text = json.loads(line[6:])["choices"][0]["delta"].get("content")
                    if text:
                        await self.send(text)
        await self.close()


application = Relay.as_asgi()
