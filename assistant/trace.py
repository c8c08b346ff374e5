"""What the layers of one turn decided, gathered as they decide it."""

import time
from dataclasses import dataclass, field
from typing import Literal

from assistant.events import Done, NoticeReason, RefusalReason, Similarities, TopPassage

_NOTHING = Similarities(dense=None, words=None)
TurnRoute = Literal["refusal", "records", "panorama", "search"]


@dataclass(slots=True)
class Trace:
    """Filled in by the turn; read by the journal, by `Done` and by the metrics."""

    started: float = field(default_factory=time.monotonic)
    route: TurnRoute = "search"
    refusal: RefusalReason | None = None
    notice: NoticeReason | None = None
    stop: str | None = None
    model_called: bool = False
    embedded: bool = False
    provider: str = ""
    prompt_version: str = ""
    best: Similarities = _NOTHING
    floor: Similarities = _NOTHING
    top: tuple[TopPassage, ...] = ()
    cost_microusd: int = 0
    guards: list[tuple[str, str]] = field(default_factory=list)

    def ms(self) -> int:
        """Milliseconds since the turn began."""
        return round((time.monotonic() - self.started) * 1000)

    def done(self, conversation: str | None) -> Done:
        """Return the closing event."""
        return Done(
            route=self.route,
            model_called=self.model_called,
            embedded=self.embedded,
            best=self.best,
            floor=self.floor,
            top=self.top,
            stop=self.stop,
            cost_microusd=self.cost_microusd,
            ms=self.ms(),
            conversation=conversation,
        )
