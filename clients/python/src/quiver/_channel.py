"""Connections, retries, and the four kinds of call."""

from __future__ import annotations

import asyncio
import math
import pathlib
import random
import ssl
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from google.protobuf.message import DecodeError, Message

from . import _frames as f
from ._check import passes
from ._compression import Compressor
from ._connection import Address, Connection, ForeignServer, ResumingContext
from ._core import Call, Limits
from ._position import KnownPosition
from .errors import Metadata, RPCError, StatusCode
from .options import CallOptions, ChannelOptions, random_key

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Request, Response]):
    """A method of a service, as the generated stubs declare it."""

    id: int
    name: str
    request: type[Request]
    response: type[Response]
    request_streams: bool = False
    reply_streams: bool = False
    is_mutating: bool = False


@dataclass(frozen=True)
class Reply(Generic[Response]):
    """A reply with its metadata."""

    message: Response
    initial_metadata: Metadata
    trailing_metadata: Metadata


@dataclass(frozen=True)
class Position:
    """Where a watch can go on."""

    sequence: int
    store_epoch: int


class _UnaryCall(Call):
    __slots__ = ("future", "headers", "reply", "trailers")

    def __init__(self, method_id: int, head: bytes, future: asyncio.Future[bytes]) -> None:
        super().__init__(method_id, head, request_streams=False, reply_streams=False)
        self.future = future
        self.reply = b""
        self.headers: Metadata = ()
        self.trailers: Metadata = ()

    def on_headers(self, metadata: Metadata) -> None:
        self.headers = metadata

    def on_message(self, message: bytes, charge: int) -> None:
        self.reply = message

    def on_end(self, error: RPCError | None, metadata: Metadata) -> None:
        self.trailers = metadata
        if self.future.done():
            return
        if error is None:
            self.future.set_result(self.reply)
        else:
            self.future.set_exception(error)


class _StreamCall(Call):
    """A call with a stream in either direction, between the core and a task."""

    __slots__ = ("error", "headers", "known", "loop", "messages", "trailers", "wakers")

    def __init__(self, method: Method[Any, Any], head: bytes, known: KnownPosition) -> None:
        super().__init__(
            method.id, head, request_streams=method.request_streams,
            reply_streams=method.reply_streams, credit_at_once=_is_watch(method),
        )  # fmt: skip
        self.loop = asyncio.get_running_loop()
        self.known = known
        self.messages: deque[tuple[bytes, int]] = deque()
        self.headers: Metadata = ()
        self.trailers: Metadata = ()
        self.error: RPCError | None = None
        self.wakers: list[asyncio.Future[None]] = []

    def wake(self) -> None:
        wakers, self.wakers = self.wakers, []
        for waker in wakers:
            if not waker.done():
                waker.set_result(None)

    async def wait(self) -> None:
        waker: asyncio.Future[None] = self.loop.create_future()
        self.wakers.append(waker)
        await waker

    def on_headers(self, metadata: Metadata) -> None:
        self.headers = metadata
        self.wake()

    def on_message(self, message: bytes, charge: int) -> None:
        self.messages.append((message, charge))
        self.wake()

    def on_end(self, error: RPCError | None, metadata: Metadata) -> None:
        self.error = error
        self.trailers = metadata
        if error is None and metadata:
            self.known.received(metadata)
        self.wake()

    def on_room(self) -> None:
        self.wake()


class _History:
    """What has become of a call in its attempts."""

    __slots__ = ("attempt", "may_have_run", "retries", "steps", "was_resent", "unsent")

    def __init__(self) -> None:
        self.attempt = 0
        self.retries = 0
        self.steps = 0
        self.unsent = 0
        self.was_resent = False
        self.may_have_run = False


class Channel:
    """A few connections to a server, and the calls that go over them."""

    def __init__(
        self,
        addresses: list[Address],
        *,
        token: str | None,
        token_file: str | None,
        limits: Limits,
        options: ChannelOptions,
        compressor: Compressor | None,
        context: ResumingContext | None,
        server_name: str | None,
    ) -> None:
        self.addresses = addresses
        self.limits = limits
        self.options = options
        self._token = token
        self._token_file = token_file
        self._compressor = compressor
        self._context = context
        self._server_name = server_name
        self._connections: list[Connection] = []
        self._leaving: set[Connection] = set()
        self._connecting: asyncio.Task[None] | None = None
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._eager = 0
        self._failures = 0
        self._last_error: RPCError | None = None
        self._backs_off = False
        self._is_closed = False
        self._was_greeted = False
        # What answered last speaks another protocol, and no server was ever met.
        self.is_foreign = False
        # Connections in a row that ended before a server sent anything.
        self._silences = 0
        self._tokens = options.retries.tokens
        self.known = KnownPosition()
        self._idle_timer: asyncio.TimerHandle | None = None

    # ---- Connections

    def _pick(self) -> Connection | None:
        for connection in self._connections:
            if connection.core.has_room():
                return connection
        return None

    async def _acquire(
        self, deadline: float | None, waits: bool, history: _History
    ) -> Connection:
        """A connection with room. A call that was sent before waits for one until its deadline."""
        try:
            was_sent = history.attempt > 0 and deadline is not None
            return await self._wait_for_connection(deadline, waits or was_sent)
        except RPCError as error:
            if history.may_have_run:
                error.not_processed = False
            raise

    async def _wait_for_connection(self, deadline: float | None, waits: bool) -> Connection:
        loop = asyncio.get_running_loop()
        while True:
            if self._is_closed:
                raise RPCError(StatusCode.CANCELLED, "the client is closed", not_processed=True)
            if (connection := self._pick()) is not None:
                return connection
            last = self._last_error
            if not self._connections and self._backs_off and last and (
                not waits or last.code == StatusCode.UNAUTHENTICATED or self.is_foreign
            ):
                raise RPCError(last.code, last.message, not_processed=True, origin="connection")
            if len(self._waiters) >= self.options.max_waiting_calls:
                raise RPCError(
                    StatusCode.RESOURCE_EXHAUSTED, "too many calls wait for a connection",
                    not_processed=True,
                )  # fmt: skip
            is_backing_off = self._backs_off and not self._connections
            has_all = len(self._connections) >= self.options.max_connections
            if self._connecting is None and not is_backing_off and not has_all:
                self._connecting = loop.create_task(self._connect())
            waiter: asyncio.Future[None] = loop.create_future()
            self._waiters.append(waiter)
            try:
                async with asyncio.timeout_at(deadline):
                    await waiter
            except TimeoutError:
                self._leave(waiter)
                raise RPCError(
                    StatusCode.DEADLINE_EXCEEDED, "the deadline passed while waiting for a connection",
                    not_processed=True,
                ) from None  # fmt: skip
            except BaseException:
                self._leave(waiter)
                raise

    def _leave(self, waiter: asyncio.Future[None]) -> None:
        """A call waits no longer. If it was woken at the same moment, another one is instead."""
        if waiter.done() and not waiter.cancelled():
            self._wake(1)
        elif waiter in self._waiters:
            self._waiters.remove(waiter)

    def _read_token(self) -> bytes:
        if self._token_file is not None:
            try:
                return pathlib.Path(self._token_file).read_text().strip().encode()
            except OSError as error:
                raise RPCError(
                    StatusCode.UNAUTHENTICATED, f"the token file cannot be read: {error}",
                    not_processed=True,
                ) from None  # fmt: skip
        return (self._token or "").strip().encode()

    async def _connect(self) -> None:
        """Makes a connection, over all addresses and with back-off, while calls wait."""
        options = self.options
        try:
            while not self._is_closed and (self._waiters or not self._connections):
                for address in self.addresses:
                    try:
                        connection = await Connection.open(
                            address, self.limits, self._read_token(), self._compressor,
                            self._context if address.is_tls else None, self._server_name,
                            self._changed,
                        )  # fmt: skip
                    except (OSError, TimeoutError, RPCError) as error:
                        self.is_foreign = isinstance(error, ForeignServer) and not self._was_greeted
                        self._last_error = (
                            error
                            if isinstance(error, RPCError)
                            else RPCError(
                                StatusCode.UNAVAILABLE, _describe(address, error),
                                not_processed=True, origin="connection",
                            )  # fmt: skip
                        )
                        continue
                    if self._is_closed:
                        connection.close()
                        return
                    self._backs_off = False
                    self._connections.append(connection)
                    self._watch_idle()
                    self._wake(connection.core.max_streams)
                    return
                self._failures += 1
                self._backs_off = True
                self._wake(len(self._waiters))
                await asyncio.sleep(0)
                if not self._waiters:
                    # Whoever calls next in the back-off fails fast; the wait goes on for that long.
                    loop = asyncio.get_running_loop()
                    loop.call_later(self._reconnect_wait(), self._end_backoff)
                    return
                await asyncio.sleep(self._reconnect_wait())
        except BaseException:
            self._backs_off = False  # No timer ends this back-off.
            raise
        finally:
            self._connecting = None
            if self._waiters and not self._is_closed:
                self._wake(1)

    def _end_backoff(self) -> None:
        if self._connecting is None:
            self._backs_off = False
            self._wake(len(self._waiters))

    def _reconnect_wait(self) -> float:
        options = self.options
        steps = min(self._failures - 1, 50)
        wait = min(
            options.first_reconnect * options.reconnect_multiplier**steps,
            options.longest_reconnect,
        )
        return wait * random.uniform(1 - options.reconnect_jitter, 1 + options.reconnect_jitter)

    def _wake(self, count: int) -> None:
        while count > 0 and self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                count -= 1

    def _changed(self, connection: Connection) -> None:
        core = connection.core
        if core.ending is not None or core.is_draining:
            if core.is_greeted and not core.is_foreign:
                self._was_greeted = True
                self._silences = 0
            if connection in self._connections:
                self._connections.remove(connection)
                self._leaving.add(connection)
                connection.closed.add_done_callback(lambda _: self._leaving.discard(connection))
                if core.answered_calls:
                    self._failures = 0
                elif core.ending is not None:
                    # A server that greets and ends the connection is not stormed.
                    self._failures += 1
                    self._last_error = core.ending
                    self.is_foreign = core.is_foreign and not self._was_greeted
                    self._silences += connection.is_silent
                    if not self._connections:
                        self._backs_off = True
                        connection._loop.call_later(self._reconnect_wait(), self._end_backoff)
                self._wake(len(self._waiters))
        elif self._waiters and core.has_room():
            self._wake(1)

    def _watch_idle(self) -> None:
        if self._idle_timer is None:
            loop = asyncio.get_running_loop()
            self._idle_timer = loop.call_later(self.options.idle_timeout / 2, self._end_idle)

    def _end_idle(self) -> None:
        self._idle_timer = None
        for connection in list(self._connections):
            loop = connection._loop
            if not connection.core.calls and (
                loop.time() - connection.idle_since >= self.options.idle_timeout
            ):
                connection.close()
        if self._connections:
            self._watch_idle()

    async def close(self) -> None:
        """Ends all calls and connections; returns when they are closed."""
        self._is_closed = True
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if self._connecting is not None:
            self._connecting.cancel()
        self._wake(len(self._waiters))
        every = [*self._connections, *self._leaving]
        for connection in every:
            for call in list(connection.core.calls.values()):
                connection.core.cancel(call, RPCError(StatusCode.CANCELLED, "the client was closed"))
            connection.close()
        if every:
            await asyncio.wait([connection.closed for connection in every], timeout=2)

    # ---- Retries

    def _head(
        self, method: Method[Any, Any], deadline: float | None, key: bytes | None,
        history: _History, metadata: Metadata, position: Position | None = None,
        credit_at_once: bool = False, store_epoch: int = 0,
    ) -> bytes:  # fmt: skip
        timeout = 0
        if deadline is not None:
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                self._wake(1)  # The room that this call was woken for is another's.
                raise RPCError(
                    StatusCode.DEADLINE_EXCEEDED, "the deadline passed before the call was sent",
                    not_processed=True,
                )  # fmt: skip
            timeout = math.ceil(left * 1000)
        after, epoch = (position.sequence, position.store_epoch) if position else (0, store_epoch)
        metadata = self.known.stated(metadata)
        return f.encode_head(
            method.id, timeout, key, history.attempt, after, epoch, metadata, credit_at_once
        )

    async def _resend(
        self, call: Call, error: RPCError, history: _History, method: Method[Any, Any],
        key: bytes | None, deadline: float | None,
    ) -> bool:  # fmt: skip
        """Whether a call goes out again, once this returns (section 7.6)."""
        if await self._may_resend(call, error, history, method, key, deadline):
            return True
        self.known.failed(error.metadata)
        return False

    async def _may_resend(
        self, call: Call, error: RPCError, history: _History, method: Method[Any, Any],
        key: bytes | None, deadline: float | None,
    ) -> bool:  # fmt: skip
        policy = self.options.retries
        if not error.not_processed:
            history.may_have_run = True
        if error.origin == "client" or self.is_foreign:
            return False
        # Servers of other protocols close connections without an answer, but one that ends does so too.
        if self._silences > 1 and not self._was_greeted:
            return False
        if error.origin == "connection" and error.not_processed:
            if not call.is_written:
                history.unsent += 1
                return error.code == StatusCode.UNAVAILABLE and (
                    history.unsent <= len(self.addresses) + 1
                )
            if not history.was_resent and error.code == StatusCode.UNAVAILABLE:
                history.was_resent = True
                history.attempt += 1
                return True
        push_back = error.retry_after
        if error.code != StatusCode.UNAVAILABLE and not (
            error.code == StatusCode.RESOURCE_EXHAUSTED and push_back is not None
        ):
            return False
        self._tokens = max(0.0, self._tokens - 1)
        if push_back is not None and push_back < 0:
            return False
        if not (error.not_processed or not method.is_mutating or key is not None):
            return False
        if history.retries + 1 >= policy.max_attempts or self._tokens <= policy.tokens / 2:
            return False
        if push_back is not None:
            wait = push_back
            history.steps = 0
        else:
            wait = min(policy.first_wait * policy.multiplier**history.steps, policy.longest_wait)
            wait *= random.uniform(1 - policy.jitter, 1 + policy.jitter)
            history.steps += 1
        if deadline is not None and asyncio.get_running_loop().time() + wait >= deadline:
            return False
        history.retries += 1
        history.attempt += 1
        await asyncio.sleep(wait)
        return True

    def _succeeded(self) -> None:
        policy = self.options.retries
        if self._tokens < policy.tokens:
            self._tokens = min(policy.tokens, self._tokens + policy.tokens_per_success)

    # ---- Unary calls

    async def unary(
        self, method: Method[Request, Response], request: Request, options: CallOptions
    ) -> Response:
        """Makes a unary call."""
        return (await self.unary_reply(method, request, options)).message

    async def unary_reply(
        self, method: Method[Request, Response], request: Request, options: CallOptions
    ) -> Reply[Response]:
        """Makes a unary call; its reply comes with its metadata."""
        loop = asyncio.get_running_loop()
        metadata: Metadata = ()
        if options.metadata:
            metadata = options.entries()
            f.check_metadata(metadata)
        key = options.key
        if key is not None and len(key) != f.KEY_BYTES:
            raise RPCError(
                StatusCode.INVALID_ARGUMENT, "key: must be 16 bytes", not_processed=True
            )
        if key is None and method.is_mutating:
            key = random_key()
        timeout = self.options.default_timeout if options.timeout is None else options.timeout
        deadline = loop.time() + timeout
        message = request.SerializeToString()
        history = _History()
        while True:
            connection = self._pick()
            if connection is None:
                connection = await self._acquire(deadline, options.wait_for_ready, history)
            head = self._head(
                method, deadline, key, history, metadata, store_epoch=options.store_epoch
            )
            future: asyncio.Future[bytes] = loop.create_future()
            call = _UnaryCall(method.id, head, future)
            core = connection.core
            core.start(call, message)
            timer = loop.call_at(deadline, _pass_deadline, connection, call)
            try:
                data = await future
            except asyncio.CancelledError:
                core.cancel(call, RPCError(StatusCode.CANCELLED, "the task was cancelled"))
                raise
            except RPCError as error:
                if await self._resend(call, error, history, method, key, deadline):
                    continue
                if history.may_have_run:
                    error.not_processed = False
                raise
            finally:
                timer.cancel()
            if self._tokens < self.options.retries.tokens:
                self._succeeded()
            if call.trailers:
                self.known.received(call.trailers)
            return Reply(_decode(method.response, data), call.headers, call.trailers)

    # ---- Streams

    async def open(
        self,
        method: Method[Any, Any],
        request: Message | None,
        options: CallOptions,
        history: _History,
        position: Position | None = None,
        deadline: float | None = None,
    ) -> tuple[Connection, _StreamCall]:
        """Starts a call with a stream; without a request the request side stays open."""
        if options.key is not None:
            raise RPCError(
                StatusCode.INVALID_ARGUMENT, "key: only unary calls take one", not_processed=True
            )
        metadata = options.entries()
        f.check_metadata(metadata)
        connection = await self._acquire(deadline, options.wait_for_ready, history)
        head = self._head(
            method, deadline, None, history, metadata, position, _is_watch(method)
        )
        call = _StreamCall(method, head, self.known)
        connection.core.start(call, None if request is None else request.SerializeToString())
        return connection, call

    def deadline(self, options: CallOptions) -> float | None:
        """The deadline of a stream: only one that was asked for."""
        if options.timeout is None:
            return None
        return asyncio.get_running_loop().time() + options.timeout


def made(kind: type[Request], request: Request | None, /, **fields: Any) -> Request:
    """The request of a stub: the message that was given, or one of the fields that were."""
    given = {name: value for name, value in fields.items() if value is not None}
    if request is None:
        return kind(**given)
    if given:
        raise TypeError(f"give either a {kind.__name__} or its fields: {', '.join(given)}")
    return request


def _pass_deadline(connection: Connection, call: Call) -> None:
    text = "the call's deadline passed"
    connection.core.cancel(call, RPCError(StatusCode.DEADLINE_EXCEEDED, text), code=4)


def _decode(kind: type[Response], data: bytes) -> Response:
    message = kind()
    try:
        if not passes(data, message.DESCRIPTOR):
            raise DecodeError("section 4.1")
        message.ParseFromString(data)
    except DecodeError:
        raise RPCError(StatusCode.INTERNAL, "the reply does not decode") from None
    return message


def _is_watch(method: Method[Any, Any]) -> bool:
    """Whether the replies of a method are those of a watch."""
    span = method.response.DESCRIPTOR.fields_by_name.get("span")
    kind = None if span is None else span.message_type
    return kind is not None and kind.full_name == "quiver.v1.WatchSpan"


def _describe(address: Address, error: BaseException) -> str:
    where = f"unix:{address.path}" if address.path else f"{address.host}:{address.port}"
    if isinstance(error, TimeoutError):
        return f"{where}: no connection in time"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"{where}: the server's certificate is not accepted: {error.verify_message}"
    if isinstance(error, ConnectionResetError) and address.is_tls:
        return f"{where}: the server ended the TLS handshake: it may not speak TLS"
    return f"{where}: {str(error) or type(error).__name__}"


class ReplyStream(Generic[Response]):
    """The messages of a streaming reply, as an asynchronous iterator.

    Leaving the loop early does not end the call: use it in `async with`, or call `cancel()`.
    """

    def __init__(
        self, channel: Channel, method: Method[Any, Response], request: Message,
        options: CallOptions, position: Position | None = None,
    ) -> None:  # fmt: skip
        self._channel = channel
        self._method = method
        self._request = request
        self._options = options
        self._position = position
        self._history = _History()
        self._deadline: float | None = None
        self._opened: tuple[Connection, _StreamCall] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_begun = False
        self._is_cancelled = False

    @property
    def initial_metadata(self) -> Metadata:
        """The metadata before the first message, once it has come."""
        return self._opened[1].headers if self._opened else ()

    @property
    def trailing_metadata(self) -> Metadata:
        """The metadata behind the last message, once the stream has ended."""
        return self._opened[1].trailers if self._opened else ()

    def cancel(self) -> None:
        """Ends the call."""
        self._is_cancelled = True
        if self._timer is not None:
            self._timer.cancel()
        if self._opened is not None:
            connection, call = self._opened
            connection.core.cancel(call, RPCError(StatusCode.CANCELLED, "the call was cancelled"))

    async def __aenter__(self) -> ReplyStream[Response]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cancel()

    def __aiter__(self) -> AsyncIterator[Response]:
        return self

    async def _open(self) -> tuple[Connection, _StreamCall]:
        if self._deadline is None:
            self._deadline = self._channel.deadline(self._options)
        opened = await self._channel.open(
            self._method, self._request, self._options, self._history, self._position,
            self._deadline,
        )  # fmt: skip
        if self._deadline is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(self._deadline, _pass_deadline, *opened)
        self._opened = opened
        return opened

    async def __anext__(self) -> Response:
        while True:
            if self._is_cancelled:
                raise StopAsyncIteration
            connection, call = self._opened or await self._open()
            while not call.messages and not call.is_ended:
                try:
                    await call.wait()
                except asyncio.CancelledError:
                    self.cancel()
                    raise
            if call.messages:
                data, charge = call.messages.popleft()
                self._is_begun = True
                connection.core.took(call, charge)
                try:
                    return _decode(self._method.response, data)
                except RPCError:
                    self.cancel()
                    raise
            if self._timer is not None:
                self._timer.cancel()
            error = call.error
            if error is None:
                self._channel._succeeded()
                raise StopAsyncIteration
            if (
                not self._is_begun
                and not call.has_headers
                and await self._channel._resend(
                    call, error, self._history, self._method, None, self._deadline
                )
            ):
                self._opened = None
                continue
            if self._history.may_have_run:
                error.not_processed = False
            raise error


class DuplexStream(Generic[Request, Response]):
    """A call whose request side streams.

    `send` waits while the stream's queue is full, so that a slow server slows its caller.
    """

    def __init__(
        self, channel: Channel, method: Method[Request, Response], options: CallOptions
    ) -> None:
        self._channel = channel
        self._method = method
        self._options = options
        self._opened: tuple[Connection, _StreamCall] | None = None
        # Why the call was not opened, or ends as soon as it is.
        self._failure: RPCError | None = None
        self._opening: asyncio.Lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._feeder: asyncio.Task[None] | None = None

    async def _open(self) -> tuple[Connection, _StreamCall]:
        async with self._opening:
            if self._opened is not None:
                return self._opened
            if self._failure is None:
                deadline = self._channel.deadline(self._options)
                history = _History()
                try:
                    opened = await self._channel.open(
                        self._method, None, self._options, history, None, deadline
                    )
                except RPCError as error:
                    self._failure = self._failure or error
                else:
                    self._opened = opened
                    if self._failure is not None:
                        self._cancel(self._failure)
                    elif deadline is not None:
                        loop = asyncio.get_running_loop()
                        self._timer = loop.call_at(deadline, _pass_deadline, *opened)
                    return opened
            raise self._failure

    @property
    def initial_metadata(self) -> Metadata:
        """The metadata before the first message, once it has come."""
        return self._opened[1].headers if self._opened else ()

    @property
    def trailing_metadata(self) -> Metadata:
        """The metadata behind the last message, once the call has ended."""
        return self._opened[1].trailers if self._opened else ()

    async def send(self, message: Request) -> None:
        """Sends a message. Raises the call's error if it has ended.

        A message above the server's limit ends the call RESOURCE_EXHAUSTED.
        """
        connection, call = self._opened or await self._open()
        if call.is_ended:
            raise call.error or RPCError(StatusCode.CANCELLED, "the call is over")
        try:
            has_room = connection.core.send(call, message.SerializeToString())
        except RPCError as error:
            connection.core.cancel(call, error)
            raise
        limit = self._channel.limits.stream_output_bytes // 2
        while not has_room and not call.is_ended and call.outbox_bytes > limit:
            await call.wait()

    async def done_sending(self) -> None:
        """Ends the request side."""
        connection, call = self._opened or await self._open()
        connection.core.finish_request(call)

    def feed(self, messages: AsyncIterable[Request] | Iterable[Request]) -> None:
        """Sends all messages of an iterable in a task of its own, then ends the request side."""

        async def run() -> None:
            try:
                if isinstance(messages, AsyncIterable):
                    async for message in messages:
                        await self.send(message)
                else:
                    for message in messages:
                        await self.send(message)
                await self.done_sending()
            except RPCError:
                pass  # The reader of the reply is told.
            except Exception as error:
                self._cancel(RPCError(StatusCode.CANCELLED, f"the requests failed: {error!r}"))

        self._feeder = asyncio.get_running_loop().create_task(run())

    def _cancel(self, error: RPCError) -> None:
        if self._opened is not None:
            connection, call = self._opened
            connection.core.cancel(call, error)
        else:
            self._failure = self._failure or error

    def cancel(self) -> None:
        """Ends the call."""
        if self._timer is not None:
            self._timer.cancel()
        if self._feeder is not None:
            self._feeder.cancel()
        self._cancel(RPCError(StatusCode.CANCELLED, "the call was cancelled"))

    async def __aenter__(self) -> DuplexStream[Request, Response]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cancel()

    def __aiter__(self) -> AsyncIterator[Response]:
        return self

    async def __anext__(self) -> Response:
        connection, call = self._opened or await self._open()
        while not call.messages and not call.is_ended:
            try:
                await call.wait()
            except asyncio.CancelledError:
                self.cancel()
                raise
        if call.messages:
            data, charge = call.messages.popleft()
            if call.reply_streams:
                connection.core.took(call, charge)
            return _decode(self._method.response, data)
        if self._timer is not None:
            self._timer.cancel()
        if call.error is not None:
            self._channel.known.failed(call.error.metadata)
            raise call.error
        raise StopAsyncIteration

    async def reply(self) -> Response:
        """The single reply of a client-streaming call."""
        await self.done_sending()
        return await self._single()

    async def _single(self) -> Response:
        async for message in self:
            async for _ in self:
                pass
            return message
        raise RPCError(StatusCode.INTERNAL, "the call ended without a reply")


async def upload(
    channel: Channel,
    method: Method[Request, Response],
    requests: AsyncIterable[Request] | Iterable[Request],
    options: CallOptions,
) -> Response:
    """Makes a client-streaming call with the messages of an iterable."""
    async with DuplexStream(channel, method, options) as call:
        call.feed(requests)
        return await call._single()


class WatchStream(Generic[Response]):
    """A watch that goes on over lost connections and restarts of the server.

    When the stream ends UNAVAILABLE, or the server asks to try again later, it is opened again behind
    the last message, so that no change is left out or repeated. A server that forbids that ends the
    watch. Where the server no longer has the history, a new snapshot comes. A watch has
    no deadline; use `asyncio.timeout` around the loop.
    """

    def __init__(
        self, channel: Channel, method: Method[Any, Response], request: Message,
        options: CallOptions, position: Position | None = None,
    ) -> None:  # fmt: skip
        self._channel = channel
        self._method = method
        self._request = request
        self._options = CallOptions(metadata=options.metadata, wait_for_ready=True)
        self._stream: ReplyStream[Response] | None = None
        self._failures = 0
        self._is_cancelled = False
        self.position = position
        """Behind the last message that was not part of an incomplete snapshot."""

    def cancel(self) -> None:
        """Ends the watch."""
        self._is_cancelled = True
        if self._stream is not None:
            self._stream.cancel()

    async def __aenter__(self) -> WatchStream[Response]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cancel()

    def __aiter__(self) -> AsyncIterator[Response]:
        return self

    async def __anext__(self) -> Response:
        while not self._is_cancelled:
            push_back = 0.0
            if self._stream is None:
                self._stream = ReplyStream(
                    self._channel, self._method, self._request, self._options, self.position
                )
            try:
                message = await self._stream.__anext__()
            except StopAsyncIteration:
                pass
            except RPCError as error:
                if error.code == StatusCode.OUT_OF_RANGE and self.position is not None:
                    self.position = None
                elif _may_resume(error) and not self._channel.is_foreign:
                    push_back = error.retry_after or 0.0
                else:
                    raise
            else:
                self._failures = 0
                span: Any = getattr(message, "span")  # noqa: B009
                if not span.incomplete:
                    self.position = Position(span.upto, span.store_epoch)
                    self._channel.known.watched(span.upto, span.store_epoch)
                return message
            self._stream = None
            self._failures = min(self._failures + 1, 30)
            longest = min(0.1 * 2 ** (self._failures - 1), 10.0)
            await asyncio.sleep(max(push_back, random.uniform(longest / 2, longest)))
        raise StopAsyncIteration


def _may_resume(error: RPCError) -> bool:
    """Whether a watch goes on after an error, as the Swift client does."""
    push_back = error.retry_after
    if push_back is not None and push_back < 0:
        return False
    return error.code == StatusCode.UNAVAILABLE or (
        error.code == StatusCode.RESOURCE_EXHAUSTED and push_back is not None
    )


