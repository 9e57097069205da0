"""Which address a request comes from: the connection's, or the one that a trusted proxy says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.errors import RangeError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
SCHEMES = frozenset({"http", "https"})
SUBSCRIBER_BITS = 64
"""So much of an IPv6 address names a subscriber, who makes up the rest."""


@dataclass(frozen=True)
class Proxies:
    """The proxies whose word on addresses counts. Without any, nobody's does."""

    networks: tuple[Network, ...] = ()

    def __contains__(self, host: str) -> bool:
        address = _read(host)
        return address is not None and any(address in network for network in self.networks)

    def client_of(self, forwarded: str) -> str:
        """The right-most address of X-Forwarded-For that is no proxy; empty if there is none that reads.

        Proxies append to the header, so whatever stands left of that address is only what a client claims.
        """
        for text in reversed(forwarded.split(",")):
            address = _read(_without_port(text.strip()))
            if address is None:
                return ""
            if str(address) not in self:
                return str(address)
        return ""


NO_PROXIES = Proxies()


def read_proxies(texts: Iterable[str]) -> Proxies:
    """Proxies by their addresses or networks, as `10.1.2.3` or `10.1.0.0/16`."""
    return Proxies(tuple(_network(text.strip()) for text in texts if text.strip()))


def _network(text: str) -> Network:
    try:
        network = ip_network(text)
    except ValueError as error:
        instead = "10.1.2.3 or fd00::/8"
        if "host bits" in str(error):
            instead = f'"{ip_network(text, strict=False)}", or the address alone'
        raise RangeError(
            f'The proxy "{text[:60]}" is not an address or network. Write it as {instead}.', code="bad_proxy"
        ) from None
    if network.prefixlen == 0:
        raise RangeError(
            f'The proxy "{text}" is everybody: then anybody could choose an address. Name the proxy itself.',
            code="bad_proxy",
        )
    return network


def address_of(request: Request) -> str:
    """The name under which whoever asks is counted: an IPv4 address, or the subscriber's part of an IPv6 address."""
    return counted_as(request.client.host) if request.client is not None else "unknown"


def counted_as(host: str) -> str:
    address = _read(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, SUBSCRIBER_BITS), strict=False))
    return host if address is None else str(address)


def _read(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    # A socket for both kinds shows IPv4 addresses as ::ffff:10.1.2.3.
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _without_port(text: str) -> str:
    """Some proxies write `10.1.2.3:4711` or `[fd00::1]:4711`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


class Forwarded:
    """Puts the address and the scheme that a trusted proxy says in the place of the proxy's own."""

    def __init__(self, app: ASGIApp, *, proxies: Proxies) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if scope["type"] == "http" and client is not None and client[0] in self._proxies:
            host = self._proxies.client_of(",".join(_values(scope, b"x-forwarded-for")))
            scheme = ",".join(_values(scope, b"x-forwarded-proto")).strip()
            scope = dict(scope)
            if host:
                scope["client"] = (host, 0)
            if scheme in SCHEMES:
                scope["scheme"] = scheme
        await self._app(scope, receive, send)


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
