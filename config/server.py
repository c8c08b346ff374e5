"""daphne as the site runs it: `python -m config.server`, with daphne's own arguments.

Told to end, it turns new questions away, lets the answers that are streaming finish, and stops the rest in a way that
stores and books them (`assistant.places`). daphne alone would cut them off.
"""

import asyncio

from config.asgi import application  # first: it sets Django up

from assistant.places import places  # isort: skip
from config.connections import Channel, Socket  # isort: skip
from daphne.cli import CommandLineInterface  # isort: skip
from daphne.server import Server  # isort: skip
from twisted.internet.defer import Deferred  # isort: skip
from twisted.internet.interfaces import IListeningPort  # isort: skip

__all__ = ["application"]


class PatientServer(Server):
    """Waits for its answers before it lets the reactor stop, and grants a connection what `config.connections` says."""

    def listen_success(self, port: IListeningPort) -> None:
        """Have every connection begin as ours; called before the first can come in."""
        super().listen_success(port)
        self.http_factory.protocol = Channel  # type: ignore[method-assign, assignment]  # any callable, says twisted
        self.ws_factory.protocol = Socket

    def timeout_checker(self) -> None:
        """Look after the connections, every two seconds."""
        Channel.peers.forget_lost()
        super().timeout_checker()

    def kill_all_applications(self) -> "Deferred[None]":
        """Return what Twisted waits for between the signal and the end."""
        return Deferred.fromFuture(asyncio.ensure_future(self._finish()))

    async def _finish(self) -> None:
        await places.drain()
        await super().kill_all_applications().asFuture(asyncio.get_running_loop())


class Command(CommandLineInterface):
    """daphne's command line over our server."""

    server_class = PatientServer


if __name__ == "__main__":
    Command.entrypoint()
