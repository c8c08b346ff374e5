"""Django's PostgreSQL, whose pool hands out no connection that the server has ended, and asks none whether it lives.

Django's own check is a round trip before each visit, and each makes one thread more wait for the interpreter. But what
a server says last, and the end of its stream, wait in the socket, and can be seen there without asking. One that
vanished without a word is noticed by the statement, as it would be by a check. An encrypted connection is asked: what
waits there may be the encryption's own.
"""

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError


class DatabaseWrapper(base.DatabaseWrapper):
    """What Django makes of `ENGINE`."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection of the pool; those that have ended are closed, and the pool makes others."""
        while has_ended(connection := super().get_new_connection(conn_params)):
            connection.close()
            self.pool.putconn(connection)
        return connection


def has_ended(connection: Connection[Any]) -> bool:
    """Whether something waits to be read that nobody asked for: between statements a server speaks only to end."""
    if connection.closed:
        return True
    if connection.pgconn.ssl_in_use:
        return not answers(connection)
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def answers(connection: Connection[Any]) -> bool:
    """Whether the server answers a statement that does nothing."""
    try:
        connection.execute("")
        connection.rollback()
    except OperationalError:
        return False
    return True
