"""The asyncio client."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterable, Iterable, Sequence

from ._channel import (
    Channel, DuplexStream, Method, Position, Reply, ReplyStream, Request, Response, WatchStream,
    upload,
)  # fmt: skip
from ._compression import Compressor, ZstdCompressor
from ._connection import Address, CheckedObject, ResumingContext
from ._core import Limits
from ._login import find_login
from .errors import RPCError, StatusCode
from .options import NO_OPTIONS, CallOptions, ChannelOptions
from .services import Services


def _context(
    roots: str | None, certificate: str | None, key: str | None
) -> ResumingContext:
    context = ResumingContext(ssl.PROTOCOL_TLS_CLIENT)
    context.sslobject_class = CheckedObject
    if roots is not None:
        context.load_verify_locations(roots)
    else:
        context.load_default_certs()
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols(["quiver/1"])
    if certificate is not None:
        context.load_cert_chain(certificate, key)
    return context


def make_channel(
    server: str | Sequence[str] | None = None,
    *,
    context: str | None = None,
    token: str | None = None,
    token_file: str | None = None,
    allow_plaintext: bool = False,
    trusted_roots: str | None = None,
    certificate: str | None = None,
    private_key: str | None = None,
    server_name: str | None = None,
    compression: bool = False,
    limits: Limits | None = None,
    options: ChannelOptions | None = None,
) -> Channel:
    """The channel of a client; raises ValueError and RPCError for what cannot be."""
    given = server if isinstance(server, str) else ",".join(server or ())
    login = find_login(given or None, context, token is not None or token_file is not None)
    servers = [one.strip() for one in login.server.split(",")]
    addresses = [Address.parse(one) for one in servers]
    token_file = token_file or login.token_file
    if certificate is None:
        certificate, private_key = login.certificate, login.private_key
    if (token or token_file) and not allow_plaintext:
        for one, address in zip(servers, addresses, strict=True):
            if not address.is_tls and not address.is_local:
                raise RPCError(
                    StatusCode.FAILED_PRECONDITION,
                    f"the token would go to {one} unencrypted; use tls:// or allow_plaintext",
                    not_processed=True,
                )
    compressor: Compressor | None = ZstdCompressor() if compression else None
    has_tls = any(address.is_tls for address in addresses)
    roots = trusted_roots or login.authorities
    return Channel(
        addresses,
        token=token,
        token_file=token_file,
        limits=limits or Limits(),
        options=options or ChannelOptions(),
        compressor=compressor,
        context=_context(roots, certificate, private_key) if has_tls else None,
        server_name=server_name or login.server_name,
    )


class Client(Services):
    """A client of a Quiver server, made by `connect`. It belongs to one event loop.

    Each service is an attribute: `client.equipment`, `client.tournament` and so on.
    """

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self._channel = channel

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends all calls and connections."""
        await self._channel.close()

    # Calls of a method by its declaration, for what the services do not offer.

    async def call(
        self, method: Method[Request, Response], request: Request,
        options: CallOptions = NO_OPTIONS,
    ) -> Reply[Response]:  # fmt: skip
        """Makes a unary call; the reply comes with its metadata."""
        return await self._channel.unary_reply(method, request, options)

    def stream(
        self, method: Method[Request, Response], request: Request,
        options: CallOptions = NO_OPTIONS,
    ) -> ReplyStream[Response]:  # fmt: skip
        """Makes a server-streaming call."""
        return ReplyStream(self._channel, method, request, options)

    async def upload(
        self, method: Method[Request, Response],
        requests: AsyncIterable[Request] | Iterable[Request], options: CallOptions = NO_OPTIONS,
    ) -> Response:  # fmt: skip
        """Makes a client-streaming call."""
        return await upload(self._channel, method, requests, options)

    def duplex(
        self, method: Method[Request, Response], options: CallOptions = NO_OPTIONS
    ) -> DuplexStream[Request, Response]:
        """Makes a bidirectional call."""
        return DuplexStream(self._channel, method, options)

    def watch(
        self, method: Method[Request, Response], request: Request,
        options: CallOptions = NO_OPTIONS, position: Position | None = None,
    ) -> WatchStream[Response]:  # fmt: skip
        """Watches, over lost connections."""
        return WatchStream(self._channel, method, request, options, position)


def connect(
    server: str | Sequence[str] | None = None,
    *,
    context: str | None = None,
    token: str | None = None,
    token_file: str | None = None,
    allow_plaintext: bool = False,
    trusted_roots: str | None = None,
    certificate: str | None = None,
    private_key: str | None = None,
    server_name: str | None = None,
    compression: bool = False,
    limits: Limits | None = None,
    options: ChannelOptions | None = None,
) -> Client:
    """A client of the server at an address, or at the first of several that answers.

    Addresses are `HOST:PORT`, `[IPv6]:PORT`, `unix:PATH` and `tls://HOST:PORT`. Connections are made
    when they are needed. What is not given is that of the environment, else of `context`, a context of
    `quiver login`, or of the selected one. `token_file` is read again for each connection. `trusted_roots`,
    `certificate` and `private_key` are PEM files. `compression` needs the package `zstandard`.
    """
    return Client(
        make_channel(
            server, context=context, token=token, token_file=token_file,
            allow_plaintext=allow_plaintext, trusted_roots=trusted_roots, certificate=certificate, private_key=private_key,
            server_name=server_name, compression=compression, limits=limits, options=options,
        )  # fmt: skip
    )
