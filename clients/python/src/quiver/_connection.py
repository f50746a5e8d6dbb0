"""One connection over asyncio: a protocol that feeds a `Core` and writes what it says."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, cast

from ._compression import Compressor
from ._core import Core, Limits
from ._frames import protocol_of
from .errors import RPCError, StatusCode

LINGER = 1.0
LOCALHOST = "localhost"
ADDRESS_FORMS = "HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH"


@dataclass(frozen=True)
class Address:
    """Where a server is: `HOST:PORT`, `[IPv6]:PORT`, `unix:PATH` or `tls://HOST:PORT`."""

    host: str
    port: int
    path: str | None
    is_tls: bool

    @classmethod
    def parse(cls, text: str) -> Address:
        """Reads an address; raises ValueError."""
        is_tls = text.startswith("tls://")
        rest = text.removeprefix("tls://").removeprefix("tcp://")
        if rest.startswith("unix:"):
            path = rest.removeprefix("unix:")
            if is_tls or not path:
                raise ValueError(f"{text!r} is not an address: unix:PATH has a path and no TLS")
            return cls("", 0, path, False)
        host, colon, port = rest.rpartition(":")
        if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
            raise ValueError(f"{text!r} is not an address: use {ADDRESS_FORMS}")
        if host.startswith("[") and host.endswith("]"):
            host = host[1:-1]
        elif ":" in host or not host:
            raise ValueError(f"{text!r} is not an address: use {ADDRESS_FORMS}")
        return cls(host, int(port), None, is_tls)

    @property
    def is_local(self) -> bool:
        """Whether bytes to it stay on this machine."""
        if self.path is not None or self.host == LOCALHOST:
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def loopback_addresses(found: Iterable[tuple[Any, ...]]) -> list[str]:
    """The addresses of this machine among those that localhost resolves to; raises OSError."""
    hosts = [str(one[4][0]) for one in found]
    local = [host for host in hosts if ipaddress.ip_address(host.partition("%")[0]).is_loopback]
    if not local:
        raise OSError(f"{LOCALHOST} is an address of another machine")
    return list(dict.fromkeys(local))


class ForeignServer(ssl.SSLError):
    """What answers does not speak TLS."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return self.text


class CheckedObject(ssl.SSLObject):
    """A client's end of TLS that names another protocol by its first bytes."""

    incoming: ssl.MemoryBIO
    is_checked = False

    def do_handshake(self) -> None:
        if not self.is_checked and self.incoming.pending:
            self.is_checked = True
            # Nobody else reads this buffer: what it holds is put back as it was.
            data = self.incoming.read()
            self.incoming.write(data)
            name = protocol_of(data)
            if name != "TLS":
                speaks = "" if name is None else f": it speaks {name}"
                raise ForeignServer(f"what answers does not speak TLS{speaks}")
            if data[:1] == b"\x15" and data[6:7] == b"\x0a":  # the alert unexpected_message
                raise ForeignServer("the server does not use TLS on this port")
        super().do_handshake()


class ResumingContext(ssl.SSLContext):
    """A client's context that resumes the latest session of each server.

    asyncio offers no way to name a session, but makes its TLS objects by `wrap_bio`.
    """

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLObject:
        if session is None and isinstance(server_hostname, str):
            session = self._sessions().pop(server_hostname, None)
        made = super().wrap_bio(incoming, outgoing, server_side, server_hostname, session)
        if isinstance(made, CheckedObject):
            made.incoming = incoming
        return made

    def keep(self, server_hostname: str, session: ssl.SSLSession | None) -> None:
        """Keeps the session of a connection that has ended, for the next one."""
        if session is not None and session.has_ticket:
            self._sessions()[server_hostname] = session

    def _sessions(self) -> dict[str, ssl.SSLSession]:
        found: dict[str, ssl.SSLSession] = self.__dict__.setdefault("sessions", {})
        return found


class Connection(asyncio.Protocol):
    """One connection. All of it belongs to one event loop."""

    def __init__(
        self,
        limits: Limits,
        token: bytes,
        compressor: Compressor | None,
        on_change: Callable[[Connection], None],
    ) -> None:
        self._limits = limits
        self._token = token
        self._compressor = compressor
        self._on_change = on_change
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._is_flushing = False
        self._context: ResumingContext | None = None
        self._server_name = ""
        self._tls: ssl.SSLObject | None = None
        self.core: Core = cast(Core, None)
        self.closed: asyncio.Future[None] = self._loop.create_future()
        self.idle_since = self._loop.time()

    @classmethod
    async def open(
        cls,
        address: Address,
        limits: Limits,
        token: bytes,
        compressor: Compressor | None,
        context: ResumingContext | None,
        server_name: str | None,
        on_change: Callable[[Connection], None],
    ) -> Connection:
        """Connects; raises OSError, and RPCError where TLS did not agree on the protocol."""
        loop = asyncio.get_running_loop()

        def make() -> Connection:
            return cls(limits, token, compressor, on_change)

        async with asyncio.timeout(limits.handshake_timeout):
            if address.path is not None:
                transport, connection = await loop.create_unix_connection(make, address.path)
            elif context is not None:
                transport, connection = await loop.create_connection(
                    make, address.host, address.port, ssl=context,
                    server_hostname=server_name or address.host,
                    # How long the socket stays open if the server does not answer close_notify.
                    ssl_shutdown_timeout=LINGER,
                )  # fmt: skip
                connection._context = context
                connection._server_name = server_name or address.host
                tls = connection._tls = transport.get_extra_info("ssl_object")
                if tls is None or tls.selected_alpn_protocol() != "quiver/1":
                    transport.abort()
                    raise RPCError(
                        StatusCode.UNAVAILABLE,
                        "the server did not agree on quiver/1 by ALPN",
                        not_processed=True,
                        origin="connection",
                    )
            elif address.host == LOCALHOST:
                # Local without a certificate that says so: what it resolves to must be as well.
                found = await loop.getaddrinfo(
                    address.host, address.port, type=socket.SOCK_STREAM
                )
                hosts = loopback_addresses(found)
                for host in hosts:
                    try:
                        transport, connection = await loop.create_connection(
                            make, host, address.port
                        )
                        break
                    except OSError:
                        if host == hosts[-1]:
                            raise
            else:
                transport, connection = await loop.create_connection(
                    make, address.host, address.port
                )
        return connection

    # ---- The transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        link = transport.get_extra_info("socket")
        if link is not None and link.family != socket.AF_UNIX:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.core = Core(
            self._loop,
            self._limits,
            token=self._token,
            compressor=self._compressor,
            wants_flush=self._schedule_flush,
            on_change=self._changed,
        )

    def data_received(self, data: bytes) -> None:
        self.core.receive(data)
        if self.core.out and not self._is_flushing:
            self._flush()

    def eof_received(self) -> bool:
        self.core.lost("the server closed the connection" + self._hint())
        return False

    @property
    def is_silent(self) -> bool:
        """Whether the server has sent nothing, neither of TLS."""
        return not self.core.has_input and self._tls is None

    def _hint(self) -> str:
        """What an end before any input may mean."""
        if not self.is_silent:
            return ""
        return " before it sent anything: it may speak TLS (tls://) or another protocol"

    def connection_lost(self, error: Exception | None) -> None:
        if self._context is not None and self._tls is not None:
            self._context.keep(self._server_name, self._tls.session)
        text = "the connection was lost"
        if error is not None:
            text += f": {str(error) or type(error).__name__}"
        self.core.lost(text + self._hint())
        if not self.closed.done():
            self.closed.set_result(None)

    def pause_writing(self) -> None:
        self.core.pause()

    def resume_writing(self) -> None:
        self.core.resume()

    # ---- This side

    def _schedule_flush(self) -> None:
        # What one turn of the loop writes goes out in one write.
        if not self._is_flushing and self._transport is not None:
            self._is_flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_flushing = False
        if self._transport is None or self._transport.is_closing():
            self.core.out.clear()
            return
        while data := self.core.take_output():
            self._transport.write(data)
            self.core.pump()
        if self.core.ending is not None:
            self._end()

    def _changed(self) -> None:
        core = self.core
        if core is None:
            return
        if not core.calls:
            self.idle_since = self._loop.time()
            if core.is_draining and core.ending is None:
                self._loop.call_soon(self.close)
        if core.ending is not None:
            self._schedule_flush()
        self._on_change(self)

    def _end(self) -> None:
        """Closes behind the last output, so that a GOAWAY is not lost to a reset."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self.core.fault is not None and transport.can_write_eof():
            transport.write_eof()
            self._loop.call_later(LINGER, transport.close)
        else:
            transport.close()

    def close(self) -> None:
        """Ends the connection; calls that are open end UNAVAILABLE."""
        if self.core.ending is None:
            self.core.goodbye()
            self._flush()
            self.core.lost("the client closed the connection")
        if self._transport is not None and not self._transport.is_closing():
            self._transport.close()
