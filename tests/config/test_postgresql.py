"""Connections of the pool: what the server ended is handed to nobody, and what lives is handed out unasked."""

import psycopg
import pytest
from django.db import connections

from config.postgresql.base import answers, has_ended
from tests.assistant.live_site import database_of_this_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fresh():
    """This thread's connection, taken from the pool anew and given back."""
    wrapper = connections["default"]
    wrapper.close()
    wrapper.ensure_connection()
    yield wrapper
    wrapper.close()


def of_server(statement: str, *values: object) -> list[tuple[object, ...]]:
    with psycopg.connect(database_of_this_run(), dbname="postgres", autocommit=True) as server:
        return server.execute(statement, values).fetchall()


def asked_last(wrapper) -> dict[object, object]:
    """When each of the test database's connections was sent a statement last."""
    name = wrapper.settings_dict["NAME"]
    return dict(of_server("SELECT pid, query_start FROM pg_stat_activity WHERE datname = %s", name))


def test_what_lives_is_handed_out_and_asked_nothing(fresh):
    held, before = fresh.connection, asked_last(fresh)
    assert not has_ended(held)
    for _ in before:  # the pool hands out in turn
        fresh.close()
        fresh.ensure_connection()
    after = asked_last(fresh)  # the pool may have made others meanwhile, or let some go
    assert {pid: after.get(pid, when) for pid, when in before.items()} == before
    assert not held.closed


def test_what_the_server_ended_is_not_handed_out_again(fresh):
    held, pid = fresh.connection, fresh.connection.info.backend_pid
    fresh.close()
    of_server("SELECT pg_terminate_backend(%s, 5000)", pid)
    assert has_ended(held)
    assert not answers(held)
    for _ in range(len(asked_last(fresh)) + 1):
        with fresh.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            assert cursor.fetchone() != (pid,)
        fresh.close()
    assert held.closed


def test_an_encrypted_connection_is_asked(fresh):
    assert answers(fresh.connection)
    assert not fresh.connection.pgconn.ssl_in_use  # over its own socket the server speaks openly
