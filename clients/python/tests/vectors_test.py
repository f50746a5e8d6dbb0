"""The vectors of Protos/vectors, on the state machine of the client and a virtual clock."""

from __future__ import annotations

import heapq
import itertools
import json
import pathlib
import unittest
from collections.abc import Callable
from typing import Any

from google.protobuf.json_format import MessageToDict

from quiver import _frames as f
from quiver._compression import ZstdCompressor
from quiver._core import Call, Core, Limits
from quiver.errors import Metadata, RPCError, StatusCode
from quiver.v1 import wire_pb2 as wire

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "Protos" / "vectors"


class VirtualClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.timers: list[tuple[float, int, Any]] = []
        self.order = itertools.count()

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[..., Any], *args: Any) -> Any:
        timer = [callback, args]
        heapq.heappush(self.timers, (self.now + delay, next(self.order), timer))

        class Handle:
            def cancel(self) -> None:
                timer.clear()

        return Handle()

    def advance(self, seconds: float) -> None:
        until = self.now + seconds
        while self.timers and self.timers[0][0] <= until:
            due, _, timer = heapq.heappop(self.timers)
            self.now = max(self.now, due)
            if timer:
                timer[0](*timer[1])
        self.now = until


class Recorded(Call):
    """A call that keeps what comes of it."""

    __slots__ = ("error", "is_over", "messages", "trailers")

    def __init__(self, method: int, head: bytes, kind: str) -> None:
        super().__init__(
            method, head, request_streams=kind in ("client streaming", "bidirectional"),
            reply_streams=kind in ("server streaming", "bidirectional"),
        )  # fmt: skip
        self.messages: list[bytes] = []
        self.error: RPCError | None = None
        self.is_over = False
        self.trailers: Metadata = ()

    def on_message(self, message: bytes, charge: int) -> None:
        self.messages.append(message)

    def on_end(self, error: RPCError | None, metadata: Metadata) -> None:
        self.error, self.is_over, self.trailers = error, True, metadata


KINDS = {4097: "unary", 4098: "client streaming", 4099: "server streaming", 4100: "bidirectional"}


def start(core: Core, clock: VirtualClock, step: dict[str, Any]) -> Recorded:
    timeout = step.get("timeout_ms", 0)
    head = f.encode_head(step["method"], timeout, None, 0, 0, 0, ())
    call = Recorded(step["method"], head, KINDS.get(step["method"], "unary"))
    core.start(call, bytes.fromhex(step.get("message", "")))
    if timeout:
        error = RPCError(StatusCode.DEADLINE_EXCEEDED, "the call's deadline passed")
        clock.call_later(timeout / 1000, core.cancel, call, error, 4)
    return call


def cut(data: bytes) -> list[bytes]:
    """Whole frames, the preface apart."""
    found = []
    if data.startswith(f.PREFACE):
        found.append(f.PREFACE)
        data = data[8:]
    while data:
        size = 8 + int.from_bytes(data[:3], "big")
        found.append(data[:size])
        data = data[size:]
    return found


CONTROL = {f.HELLO: wire.Hello, f.CANCEL: wire.Cancel, f.GOAWAY: wire.GoAway}


def comparable(one: bytes) -> Any:
    """A frame without the texts that are a client's own."""
    kind = one[3] >> 4 if one != f.PREFACE else 0
    if kind not in CONTROL:
        return one
    message = MessageToDict(CONTROL[kind].FromString(one[8:]), preserving_proto_field_name=True)
    for name in ("reason", "software", "message"):
        message.pop(name, None)
    return one[3:8], message


class ConversationTests(unittest.TestCase):
    def test_every_conversation_for_clients(self) -> None:
        talks = json.loads((VECTORS / "conversations.json").read_text())["conversations"]
        names = [talk["name"] for talk in talks if "client" in talk["roles"]]
        self.assertGreater(len(names), 20)
        for talk in talks:
            if "client" in talk["roles"]:
                for is_cut in (False, True):
                    if is_cut and talk.get("whole"):
                        continue
                    with self.subTest(name=talk["name"], is_cut=is_cut):
                        self.play(talk["steps"], is_cut)

    def play(self, steps: list[dict[str, Any]], is_cut: bool) -> None:
        clock = VirtualClock()
        core = Core(clock, Limits(), token=b"good", software="vectors")
        calls: dict[int, Recorded] = {}
        for step in steps:
            if "client" in step:
                expected = [comparable(one) for one in cut(bytes.fromhex(step["client"]))]
                written = [comparable(one) for one in cut(core.take_output())]
                self.assertEqual(written, expected)
            elif "server" in step:
                for one in step["server"]:
                    data = bytes.fromhex(one["hex"])
                    chunks = [data[i : i + 1] for i in range(len(data))] if is_cut else [data]
                    for chunk in chunks:
                        core.receive(chunk)
            elif "call" in step:
                calls[step["call"]] = start(core, clock, step)
            elif "cancel" in step:
                error = RPCError(StatusCode.CANCELLED, "the call was cancelled")
                core.cancel(calls[step["cancel"]], error)
            elif "outcome" in step:
                call = calls[step["outcome"]]
                self.assertTrue(call.is_over)
                if "reply" in step:
                    self.assertIsNone(call.error)
                    self.assertEqual(call.messages, [bytes.fromhex(step["reply"])])
                else:
                    assert call.error is not None
                    self.assertEqual(call.error.code, step["code"])
                    self.assertEqual(call.error.not_processed, step["not_processed"])
            elif "wait_ms" in step:
                clock.advance(step["wait_ms"] / 1000)
            else:
                self.fail(f"an unknown step: {step}")


class FrameTests(unittest.TestCase):
    def greeted(self, kinds: list[str]) -> tuple[Core, list[Recorded]]:
        clock = VirtualClock()
        core = Core(clock, Limits(), token=b"good")
        calls = []
        for kind in kinds:
            call = Recorded(4097, f.encode_head(4097, 0, None, 0, 0, 0, ()), kind)
            core.start(call, None if call.request_streams else b"")
            calls.append(call)
        return core, calls

    def test_every_invalid_frame_to_a_client(self) -> None:
        cases = json.loads((VECTORS / "frames.json").read_text())["invalid"]
        cases = [case for case in cases if case["to"] == "client"]
        self.assertGreater(len(cases), 20)
        for case in cases:
            with self.subTest(name=case["name"]):
                core, calls = self.greeted(case.get("calls", []))
                before = bytes.fromhex(case.get("before", ""))
                hello = f.PREFACE + f.frame(
                    f.HELLO, 0, 0, wire.Hello(version_min=1, version_max=1).SerializeToString()
                )
                data = bytes.fromhex(case["hex"])
                if case.get("handshake", True) and not data.startswith(b"\x91QVR"):
                    core.receive(hello)
                core.receive(before)
                self.assertIsNone(core.ending)
                core.receive(data)
                if "error" in case:
                    assert core.fault is not None
                    self.assertEqual(f.CONNECTION_CODES[core.fault.code], case["error"])
                else:
                    self.assertIsNone(core.fault)
                    status = case["status"]
                    call = calls[status["stream"] // 2]
                    assert call.error is not None
                    code = status["code"]
                    name = call.error.code.name if isinstance(code, str) else call.error.code
                    self.assertEqual(name, code)

    def test_every_valid_frame_of_a_server_is_taken(self) -> None:
        cases = json.loads((VECTORS / "frames.json").read_text())["valid"]
        cases = [case for case in cases if case["from"] in ("server", "both")]
        self.assertGreater(len(cases), 10)
        for case in cases:
            with self.subTest(name=case["name"]):
                clock = VirtualClock()
                core = Core(clock, Limits(), token=b"good", compressor=ZstdCompressor())
                stream = case["stream"]
                core._next = stream + 2 if stream else 1
                if case["type"] != "HELLO" and case["type"] != f.HELLO:
                    core.receive(f.PREFACE + f.frame(f.HELLO, 0, 0, b""))
                else:
                    core.receive(f.PREFACE)
                core.receive(bytes.fromhex(case["hex"]))
                self.assertIsNone(core.fault)


class LimitTests(unittest.TestCase):
    def test_a_server_that_stops_is_pinged_and_then_given_up(self) -> None:
        clock = VirtualClock()
        core = Core(clock, Limits(), token=b"good")
        core.receive(f.PREFACE + f.frame(f.HELLO, 0, 0, b""))
        head = f.encode_head(4097, 0, None, 0, 0, 0, ())
        call = Recorded(4097, head, "unary")
        core.start(call, b"")
        core.take_output()
        clock.advance(20)
        self.assertEqual(core.take_output()[3] >> 4, f.PING)
        clock.advance(10)
        assert call.error is not None
        self.assertEqual(call.error.code, StatusCode.UNAVAILABLE)
        self.assertFalse(call.error.not_processed)

    def test_a_handshake_a_frame_and_a_message_have_their_time(self) -> None:
        for name, data, seconds in (
            ("handshake", b"", 10.0),
            ("frame", f.PREFACE + f.frame(f.HELLO, 0, 0) + b"\0\0\x10\x60", 30.0),
        ):
            with self.subTest(name=name):
                clock = VirtualClock()
                core = Core(clock, Limits(), token=b"good")
                core.receive(data)
                clock.advance(seconds - 0.1)
                self.assertIsNone(core.fault)
                clock.advance(0.2)
                assert core.fault is not None
                self.assertEqual(core.fault.code, f.TIMEOUT)
        clock = VirtualClock()
        core = Core(clock, Limits(), token=b"good")
        core.receive(f.PREFACE + f.frame(f.HELLO, 0, 0))
        call = Recorded(4097, f.encode_head(4097, 0, None, 0, 0, 0, ()), "unary")
        core.start(call, b"")
        core.receive(f.frame(f.RESPONSE, f.MORE, 1, bytes(2000)))
        for _ in range(6):
            clock.advance(9.9)
            core.receive(f.frame(f.PING, f.END, 0, bytes(8)))
        self.assertFalse(call.is_over)
        clock.advance(0.7)
        assert call.error is not None
        self.assertEqual(call.error.code, StatusCode.RESOURCE_EXHAUSTED)

    def test_a_reply_above_the_limit_ends_its_call_alone(self) -> None:
        clock = VirtualClock()
        core = Core(clock, Limits(max_message_bytes=8192), token=b"good")
        core.receive(f.PREFACE + f.frame(f.HELLO, 0, 0))
        head = f.encode_head(4097, 0, None, 0, 0, 0, ())
        large, small = Recorded(4097, head, "unary"), Recorded(4097, head, "unary")
        core.start(large, b"")
        core.start(small, b"")
        core.receive(f.frame(f.RESPONSE, f.MORE, 1, bytes(8000)))
        core.receive(f.frame(f.DATA, f.MORE, 1, bytes(8000)))
        core.receive(f.frame(f.RESPONSE, 0, 3, b"ok"))
        assert large.error is not None
        self.assertEqual(large.error.code, StatusCode.RESOURCE_EXHAUSTED)
        self.assertEqual(small.messages, [b"ok"])


if __name__ == "__main__":
    unittest.main()
