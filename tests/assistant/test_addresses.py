"""The rate limits count by what the edge proxy saw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.addresses import UNKNOWN, bucket


@pytest.fixture
def proxies(settings):
    def trust(hops: int) -> None:
        settings.TRAVA = settings.TRAVA.model_copy(update={"TRUSTED_PROXIES": hops})

    return trust


def test_without_a_trusted_proxy_the_header_counts_for_nothing():
    assert bucket("192.0.2.1", ["203.0.113.9"]) == "192.0.2.1"


def test_a_client_cannot_choose_its_bucket_behind_a_proxy(proxies):
    proxies(1)
    assert bucket("10.0.0.1", ["1.1.1.1, 203.0.113.9"]) == "203.0.113.9"
    assert bucket("10.0.0.1", ["1.1.1.1", "203.0.113.9"]) == "203.0.113.9"


def test_two_proxies_are_counted_from_the_right(proxies):
    proxies(2)
    assert bucket("10.0.0.1", ["1.1.1.1, 203.0.113.9, 10.0.0.2"]) == "203.0.113.9"


def test_a_request_that_came_past_the_proxy_counts_by_its_own_address(proxies):
    proxies(1)
    assert bucket("192.0.2.1", []) == "192.0.2.1"


def test_an_unreadable_entry_falls_back_to_the_peer(proxies):
    proxies(1)
    assert bucket("192.0.2.1", ["for=nobody"]) == "192.0.2.1"


@pytest.mark.parametrize(
    ("written", "counted"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:5000", "192.0.2.1"),
    ],
)
def test_an_address_is_read_however_a_proxy_writes_it(proxies, written, counted):
    proxies(1)
    assert bucket("10.0.0.1", [written]) == counted


@pytest.mark.parametrize("peer", [None, "", "/run/site.sock"])
def test_a_peer_without_an_address_shares_one_bucket(peer):
    assert bucket(peer, []) == UNKNOWN


@given(st.lists(st.text()), st.text())
def test_no_header_breaks_it(forwarded, peer):
    assert bucket(peer, forwarded)


@given(st.ip_addresses(network="2000::/3"))
def test_one_network_is_one_bucket(address):
    neighbour = int(address) ^ 1
    assert bucket(str(address), []) == bucket(str(type(address)(neighbour)), [])
