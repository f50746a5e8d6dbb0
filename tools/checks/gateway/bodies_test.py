"""First bytes and bodies of requests: other protocols, calls without a token, large and small bodies."""

from __future__ import annotations

import gzip
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import socket
import ssl
import struct
import subprocess
import unittest

import kit
from running import PROGRAMS, Running, free_port

ECHO = "/quiver.v1.Diagnostics/Echo"
CHECK = "/quiver.v1.Health/Check"
# Of a ClientHello of TLS 1.3, as far as its type.
TLS_HELLO = bytes.fromhex("1603010200010001fc0303") + bytes(32)
PREFACE = bytes.fromhex("915156520d0a1a01")
HELLO = bytes([0, 0, 4, 0x10, 0, 0, 0, 0, 8, 1, 16, 1])
ALERT = bytes.fromhex("1503030002020a")


def frames(answer: bytes) -> list[tuple[int, bytes]]:
    """The types and payloads of Quiver's frames behind a preface."""
    assert answer.startswith(PREFACE), answer
    found = []
    rest = answer[8:]
    while rest:
        length = int.from_bytes(rest[:3], "big")
        found.append((rest[3] >> 4, rest[8 : 8 + length]))
        rest = rest[8 + length :]
    return found


class FirstBytesTests(unittest.TestCase):
    """What each port answers to the first bytes of another protocol."""

    @classmethod
    def setUpClass(cls) -> None:
        folder = os.environ["QUIVER_CERTIFICATES"]
        cls.tls = (f"{folder}/server.pem", f"{folder}/server.key")
        cls.running = Running(tls=cls.tls)
        cls.ports = free_port(), free_port()
        cls.data = f"{cls.running.folder}/second"
        command = [str(PROGRAMS / "quiverd"), "--init", "--data", cls.data,
                   "--listen", f"127.0.0.1:{cls.ports[0]}", "--listen", f"tls://127.0.0.1:{cls.ports[1]}",
                   "--tls-certificate", cls.tls[0], "--tls-key", cls.tls[1]]  # fmt: skip
        cls.server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        cls.quiver(f"127.0.0.1:{cls.ports[0]}", "health", "--wait", "60")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.terminate()
        assert cls.server.wait(60) == 0
        cls.running.end()

    @classmethod
    def quiver(cls, server: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "QUIVER_SERVER": server}
        environment.pop("QUIVER_TOKEN_FILE", None)
        return subprocess.run(
            [str(PROGRAMS / "quiver"), *arguments, "--server", server], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip

    def answer(self, port: int, sent: bytes, tls: bool = False) -> bytes:
        # Below every time limit of a port: the answer comes without one.
        raw = socket.create_connection(("127.0.0.1", port), timeout=4)
        if tls:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            raw = context.wrap_socket(raw)
        with raw:
            raw.sendall(sent)
            received = b""
            while part := raw.recv(65_536):
                received += part
            return received

    def answers(self, port: int, words: bytes, tls: bool = False) -> None:
        """HTTP, SSH, Quiver and others are told by a port what it speaks."""
        others = {
            "SSH": b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n",
            "a preface of Quiver": PREFACE + HELLO,
            "the first byte of one": PREFACE[:1],
        }
        for name, sent in others.items():
            with self.subTest(name):
                self.assertIn(words, self.answer(port, sent, tls))
        found = frames(self.answer(port, PREFACE + HELLO, tls))
        self.assertEqual([kind for kind, _ in found], [1, 10])

    def test_the_port_of_the_gateway_without_tls(self) -> None:
        port = self.running.port
        self.answers(port, b"this port speaks HTTP")
        self.assertEqual(self.answer(port, TLS_HELLO), ALERT)
        for sent in (b"EHLO archery\r\n", b"GET /\r\n", b"\x00\x01\x02", b"\x80\x2e\x01\r\n"):
            with self.subTest(sent):
                answer = self.answer(port, sent)
                self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
                self.assertIn(b"this port speaks HTTP", answer)

    def test_the_port_of_the_gateway_with_tls(self) -> None:
        port = self.running.tls_port
        self.answers(port, b"this port speaks TLS (h2, http/1.1)")
        answer = self.answer(port, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
        self.assertIn(b"this port speaks TLS (h2, http/1.1)", answer)
        # Within TLS it is a port of HTTP.
        self.answers(port, b"this port speaks HTTP", tls=True)

    def test_the_ports_of_the_server(self) -> None:
        plain, secure = self.ports
        self.assertEqual(self.answer(plain, TLS_HELLO), ALERT)
        for port, words in ((plain, b"the Quiver protocol without TLS"), (secure, b"TLS (quiver/1)")):
            answer = self.answer(port, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
            self.assertIn(words, answer)
            self.assertIn(words, self.answer(port, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
            self.assertIn(words, self.answer(port, b"SSH-2.0-OpenSSH_9.2p1\r\n"))
        self.answers(secure, b"TLS (quiver/1)")
        # What is no protocol that is known is closed without an answer.
        for sent in (b"EHLO archery\r\n", b"\x00\x01\x02"):
            self.assertEqual(self.answer(secure, sent), b"")

    def test_the_command_says_what_it_has_met(self) -> None:
        addresses = {
            f"127.0.0.1:{self.running.port}": "this port speaks HTTP",
            f"127.0.0.1:{self.running.tls_port}": "this port speaks TLS",
            f"tls://127.0.0.1:{self.running.port}": "the server does not use TLS on this port",
            f"tls://127.0.0.1:{self.ports[0]}": "the server does not use TLS on this port",
            f"127.0.0.1:{self.ports[1]}": "this port speaks TLS (quiver/1)",
        }
        for address, words in addresses.items():
            with self.subTest(address):
                done = self.quiver(address, "health")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(words, done.stderr)


class BodyTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running("--metrics", "127.0.0.1:0")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def exchange(
        self, path: str, body: bytes, token: str | None = None, fields: str = "",
        sent: int | None = None, kind: str = "application/json", seconds: float = 60,
    ) -> tuple[int, dict[bytes, bytes], bytes]:  # fmt: skip
        """A POST, of whose body the first bytes are sent."""
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\n{fields}"
        if token:
            head += f"authorization: Bearer {token}\r\n"
        head += f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n"
        with self.running.connect() as raw:
            raw.settimeout(seconds)
            raw.sendall(head.encode() + body[:sent])
            received = b""
            while part := raw.recv(65_536):
                received += part
        lines, _, answer = received.partition(b"\r\n\r\n")
        first, *rest = lines.split(b"\r\n")
        return int(first.split()[1]), dict(line.split(b": ", 1) for line in rest), answer

    def limit(self, name: str) -> int:
        with socket.create_connection(("127.0.0.1", self.running.metrics_port())) as raw:
            raw.sendall(b"GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            text = b""
            while part := raw.recv(65_536):
                text += part
        line = f'quiver_gateway_limits_reached_total{{limit="{name}"}} '.encode()
        return int(float(text.split(line)[1].split()[0]))

    def test_a_call_that_needs_a_token_is_refused_before_its_body(self) -> None:
        body = gzip.compress(bytes(1_000_000))
        for sent in (0, 100):
            status, _, answer = self.exchange(
                ECHO, body, fields="content-encoding: gzip\r\n", sent=sent, seconds=8)
            self.assertEqual((status, json.loads(answer)["code"]), (401, "unauthenticated"))

    def test_a_large_body_is_read_only_for_a_token_that_the_server_accepts(self) -> None:
        # Not JSON: it is not read.
        body = b"[" * 100_000
        status, _, answer = self.exchange(ECHO, body, token="qv_" + "A" * 43)
        self.assertEqual((status, json.loads(answer)["code"]), (401, "unauthenticated"))
        status, _, answer = self.exchange(ECHO, body, token=self.running.token)
        self.assertEqual((status, json.loads(answer)["code"]), (400, "invalid_argument"))

    def test_a_message_without_a_token_has_at_most_4_kib(self) -> None:
        fits = b'{"service":"' + b"a" * 4_000 + b'"}'
        status, _, answer = self.exchange(CHECK, fits)
        self.assertNotEqual(json.loads(answer).get("code"), "resource_exhausted")
        before = self.limit("message-bytes")
        for body, field in (
            (fits + b" " * 100, ""), (gzip.compress(fits + b" " * 100), "content-encoding: gzip\r\n"),
        ):  # fmt: skip
            status, _, answer = self.exchange(CHECK, body, fields=field)
            self.assertEqual((status, json.loads(answer)["code"]), (429, "resource_exhausted"))
            self.assertIn("4096", json.loads(answer)["message"])
        self.assertEqual(self.limit("message-bytes"), before + 2)

    def test_a_message_is_decompressed_up_to_256_times_its_size(self) -> None:
        before = self.limit("inflate-ratio")
        body = json.dumps({"text": "a" * 1_000_000}).encode()
        status, _, answer = self.exchange(
            ECHO, gzip.compress(body), self.running.token, "content-encoding: gzip\r\n")
        self.assertEqual((status, json.loads(answer)["code"]), (429, "resource_exhausted"))
        self.assertIn("256 times its size", json.loads(answer)["message"])
        self.assertEqual(self.limit("inflate-ratio"), before + 1)

    def test_a_number_has_at_most_32_characters(self) -> None:
        before = self.limit("json")
        for number in ("1" * 4_000_000, "1" * 33, '"' + "0" * 33 + '"'):
            body = f'{{"service":{number}}}' if number[0] != '"' else f'{{"delayMs":{number}}}'
            path = CHECK if number[0] != '"' else "/quiver.v1.Diagnostics/Delay"
            status, _, answer = self.exchange(path, body.encode(), self.running.token)
            self.assertEqual((status, json.loads(answer)["code"]), (400, "invalid_argument"))
            self.assertIn("more than 32 characters", json.loads(answer)["message"])
        self.assertEqual(self.limit("json"), before + 3)

    def test_large_bodies_are_converted_whole(self) -> None:
        text = "".join(chr(0x21 + number % 0x3000) for number in range(300_000) if number % 0x3000 < 0x2000)
        body = json.dumps({"text": text}).encode()
        plain = json.dumps({"text": text}, ensure_ascii=False).encode()
        for sent, field in ((body, ""), (plain, ""), (gzip.compress(body, 1), "content-encoding: gzip\r\n")):
            status, fields, answer = self.exchange(
                ECHO, sent, self.running.token, field + "accept-encoding: gzip\r\n")
            self.assertEqual((status, fields[b"content-encoding"]), (200, b"gzip"))
            self.assertEqual(json.loads(gzip.decompress(answer))["text"], text)
        message = json.dumps({"text": "x" * 100_000}).encode()
        stream = b"\0" + struct.pack(">I", len(message)) + message
        status, _, answer = self.exchange(
            "/quiver.v1.Diagnostics/EchoStream", stream * 3, self.running.token,
            kind="application/connect+json")
        self.assertEqual(status, 200)
        self.assertEqual(answer.count(b"x" * 100_000), 3)


def converter_slices(gateway: int) -> dict[str, int]:
    """How often each thread that converts messages has run: their niceness is higher than that of the event loops. A
    gateway has none before its first conversion."""
    found = {}
    own = os.getpriority(os.PRIO_PROCESS, gateway)
    for task in os.listdir(f"/proc/{gateway}/task"):
        folder = pathlib.Path(f"/proc/{gateway}/task", task)
        if int((folder / "stat").read_text().rpartition(") ")[2].split()[16]) > own:
            found[task] = int((folder / "schedstat").read_text().split()[2])
    return found


class CostlyBodyTests(unittest.TestCase):
    """The bodies whose cost tools/bench/bodies measures."""

    def setUp(self) -> None:
        path = pathlib.Path(__file__).resolve().parents[2] / "bench/bodies"
        loader = importlib.machinery.SourceFileLoader("bodies", str(path))
        specification = importlib.util.spec_from_loader("bodies", loader)
        assert specification
        self.bench = importlib.util.module_from_spec(specification)
        loader.exec_module(self.bench)
        self.running = Running()
        self.addCleanup(self.running.end)

    def test_a_costly_body_is_refused_unread_or_converted_beside_the_event_loops(self) -> None:
        kinds = list(self.bench.kinds())
        self.assertGreaterEqual(sum(len(body) <= self.bench.MOST_BYTES for _, _, body, _, _ in kinds), 20)
        gateway = self.running.gateway.pid
        # A method that takes callers without a token reads 4 KiB of them, also after decompression.
        taken = [one for one in kinds if one[1] == self.bench.CHECK and len(one[2]) <= 4_096]
        for name, path, body, fields, kind in kinds:
            if (name, path, body, fields, kind) in taken:
                continue
            with self.subTest(name):
                status = self.bench.request(self.running.port, path, body, fields, kind, None)
                self.assertIn(status, ("401", "429"))
        self.assertEqual(converter_slices(gateway), {}, "what is refused is not converted")
        self.assertGreater(len(taken), 0)
        for token in (None, self.running.token):
            for name, path, body, fields, kind in taken if token is None else kinds:
                with self.subTest(name, token=token is not None):
                    before = converter_slices(gateway)
                    self.bench.request(self.running.port, path, body, fields, kind, token)
                    self.assertNotEqual(converter_slices(gateway), before, "an event loop has read the body")

    def test_a_small_body_is_read_by_the_event_loop(self) -> None:
        # Otherwise the test above would find nothing.
        body = b'{"text":"' + b"\\n" * 900 + b'"}'
        status = self.bench.request(
            self.running.port, self.bench.ECHO, body, "", "application/json", self.running.token)
        self.assertEqual((status, converter_slices(self.running.gateway.pid)), ("200", {}))


if __name__ == "__main__":
    kit.main()
