"""The HTTP client over asyncio's streams: encrypted, by a proxy, and by no connection that has ended meanwhile."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from metering.transports.network import Stream, on_asyncio
from tests.metering.transports.chats import DIALECTS, PATIENCE, REQUEST
from tests.model_server import ModelServer

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nSnow."


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    """The folder of what a server for 127.0.0.1 shows."""
    folder = tmp_path_factory.mktemp("certificate")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = (PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, *plain))
    (folder / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    return folder


@asynccontextmanager
async def server(*answers: bytes, shows=None) -> AsyncIterator[tuple[int, list[bytes]]]:
    """Answer the requests of each connection with these in turn, and end it. Yields the port and what was asked."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            for answer in answers:
                asked.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(answer)

    context = None
    if shows:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(shows / "cert.pem", shows / "key.pem")
    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as running:
        yield running.sockets[0].getsockname()[1], asked


async def test_an_encrypted_answer_is_read(certificate):
    client = on_asyncio(httpx2.AsyncClient(verify=ssl.create_default_context(cafile=certificate / "cert.pem")))
    async with server(ANSWER, shows=certificate) as (port, _asked), client:
        assert (await client.get(f"https://127.0.0.1:{port}/")).text == "Snow."


async def test_a_certificate_that_nobody_vouches_for_is_no_connection(certificate):
    async with server(ANSWER, shows=certificate) as (port, asked), on_asyncio(httpx2.AsyncClient()) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"https://127.0.0.1:{port}/")
    assert not asked


async def test_where_nobody_listens_is_no_connection():
    async with server() as (port, _asked):
        pass
    async with on_asyncio(httpx2.AsyncClient()) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"http://127.0.0.1:{port}/")


async def test_the_proxy_of_the_environment_is_asked(monkeypatch):
    async with server(ANSWER) as (port, asked):
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        async with on_asyncio(httpx2.AsyncClient()) as client:
            assert (await client.get("http://model.example/v1/models")).text == "Snow."
    assert asked[0].startswith(b"GET http://model.example/v1/models ")


async def test_a_connection_is_used_again_until_its_other_end_has_left():
    async with server(ANSWER, ANSWER) as (port, asked), on_asyncio(httpx2.AsyncClient()) as client:
        used = [(await client.get(f"http://127.0.0.1:{port}/")).extensions["network_stream"] for _ in range(2)]
        await asyncio.wait_for(_ended(used[0]), 10)
        fresh = (await client.get(f"http://127.0.0.1:{port}/")).extensions["network_stream"]
    assert used[0] is used[1] is not fresh
    assert len(asked) == 3


async def _ended(stream) -> None:
    while not stream.get_extra_info("is_readable"):
        await asyncio.sleep(0.01)


async def test_an_answer_that_breaks_off_is_an_error_of_the_client():
    async with server(ANSWER[:-2]) as (port, _asked), on_asyncio(httpx2.AsyncClient()) as client:
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.get(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize("protocol", DIALECTS)
async def test_both_protocols_speak_over_it(protocol):
    with ModelServer() as model:
        dialect = DIALECTS[protocol](model.url, "scripted-1", "key", PATIENCE)
        async with dialect.open(REQUEST) as response:
            assert isinstance(response.http_response.extensions["network_stream"], Stream)
        await dialect.close()
