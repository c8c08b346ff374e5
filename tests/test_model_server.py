"""The scripted server is a real server: what it claims to have sent and seen was sent and seen."""

import http.client
import json
import socket
import time

import pytest

from tests.model_scripts import CUT, HANG, Figures, Thought, fail, say
from tests.model_server import ModelServer


def post(server, path, body, **headers):
    connection = http.client.HTTPConnection(server.root.removeprefix("http://"), timeout=5)
    connection.request("POST", path, json.dumps(body), headers)
    return connection, connection.getresponse()


def ask(server, path="/v1/chat/completions", **headers):
    connection, response = post(server, path, {"stream": True}, **headers)
    try:
        return response.status, response.read()
    finally:
        response.close()
        connection.close()


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages"])
def test_a_script_is_streamed_in_either_protocol(path):
    with ModelServer(say(Thought("hm"), "Snow", 0.01, " melts", usage=Figures(input=7, output=3, cached=2))) as server:
        status, body = ask(server, path)
    assert status == 200
    assert body.index(b"hm") < body.index(b"Snow") < body.index(b" melts")
    assert b'"cached_tokens": 2' in body or b'"cache_read_input_tokens": 2' in body
    assert [call.path for call in server.calls] == [path]
    assert server.calls[0].sent == len(body)


def test_each_call_gets_the_next_answer_and_the_last_is_repeated():
    with ModelServer(fail(429, "rate_limit_error", retry_after="1"), say("yes")) as server:
        assert [ask(server)[0] for _ in range(3)] == [429, 200, 200]


def test_a_wrong_key_is_refused():
    with ModelServer(say("yes"), key="right") as server:
        assert ask(server, Authorization="Bearer wrong")[0] == 401
        assert ask(server, Authorization="Bearer right")[0] == 200
        assert ask(server, **{"X-Api-Key": "right"})[0] == 200


def test_a_cut_breaks_the_connection():
    with ModelServer(say("Snow", CUT)) as server, pytest.raises(http.client.IncompleteRead):
        ask(server)


def test_the_moment_at_which_a_client_leaves_is_seen():
    with ModelServer(say("Snow", HANG)) as server:
        host, port = server.root.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(b'POST /v1/messages HTTP/1.1\r\ncontent-length: 15\r\n\r\n{"stream":true}')
            while b"Snow" not in client.recv(4096):
                pass
            before = time.monotonic()
        assert server.calls[0].wait_closed() >= before


def test_words_shared_make_vectors_near():
    with ModelServer() as server:
        connection, response = post(server, "/v1/embeddings", {"model": "m", "input": ["red snow", "snow red", "sea"]})
        rows = sorted(json.loads(response.read())["data"], key=lambda row: row["index"])
        connection.close()
    assert rows[0]["embedding"] == rows[1]["embedding"] != rows[2]["embedding"]
