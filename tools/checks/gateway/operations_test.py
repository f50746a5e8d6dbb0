"""Operation of quiver-gateway: metrics, the log, wrong tokens and the PROXY protocol."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import struct
import subprocess
import unittest

import kit
from running import Running, kept_of, wait_until

SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"


def proxy_header(address: str) -> bytes:
    """A header of PROXY protocol version 2 for a caller with this IPv4 address."""
    addresses = socket.inet_aton(address) + socket.inet_aton("127.0.0.1")
    return SIGNATURE + b"\x21\x11" + struct.pack("!H", 12) + addresses + struct.pack("!HH", 4000, 1)


class OperationTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running(
            "--metrics", "127.0.0.1:0", "--access-log", "1",
            "--max-callers", "8", "--max-unproven-callers", "2", "--max-message-bytes", "4096",
            "--max-connections-per-address", "20",
        )  # fmt: skip
        cls.metrics_port = cls.running.metrics_port()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def call(self, token: str | None = None, body: str = "{}") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=20)
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        connection.request("POST", "/quiver.v1.Equipment/ListItems", body, headers)
        answer = connection.getresponse()
        try:
            return answer.status, answer.read()
        finally:
            connection.close()

    def probe(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.metrics_port, timeout=20)
        connection.request("GET", path)
        answer = connection.getresponse()
        try:
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def value(self, series: str) -> float:
        for line in self.probe("/metrics")[1].splitlines():
            if line.startswith(series + " "):
                return float(line.split()[-1])
        return 0

    def wait(self, series: str, wanted: float) -> float:
        """The value of a series, once it has reached `wanted`: calls are counted when they are over."""
        wait_until(lambda: self.value(series) >= wanted)
        return self.value(series)

    def expect_in_log(self, text: str) -> None:
        """The log is written by a thread of its own, after what it tells."""
        wait_until(lambda: text in self.running.log())
        self.assertIn(text, self.running.log())

    def test_promtool_accepts_the_metrics(self) -> None:
        self.assertEqual(self.call(self.running.token)[0], 200)
        text = self.probe("/metrics")[1]
        done = subprocess.run(
            ["promtool", "check", "metrics"], input=text, text=True, capture_output=True
        )
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_a_gateway_with_a_server_is_ready(self) -> None:
        wait_until(lambda: self.probe("/readyz")[0] == 200)
        self.assertEqual(self.probe("/readyz"), (200, "ok\n"))
        self.assertEqual(self.probe("/livez"), (200, "ok\n"))
        self.assertEqual(self.value("quiver_gateway_server_available"), 1)

    def test_calls_are_counted_by_protocol_and_code(self) -> None:
        series = 'quiver_gateway_handled_total{protocol="connect",code="OK"}'
        before = self.value(series)
        for _ in range(7):
            self.assertEqual(self.call(self.running.token)[0], 200)
        self.assertEqual(self.wait(series, before + 7), before + 7)
        counted = self.value('quiver_gateway_handling_seconds_count{protocol="connect"}')
        self.assertGreaterEqual(counted, before + 7)
        wait_until(lambda: self.value("quiver_gateway_open_requests") == 0)
        self.assertEqual(self.value("quiver_gateway_open_requests"), 0)

    def test_wrong_tokens_do_not_close_the_connection_of_a_good_one(self) -> None:
        self.assertEqual(self.call(self.running.token)[0], 200)
        before = json.loads(self.running.quiver("admin", "connections", "--json"))
        for number in range(12):
            self.assertEqual(self.call(f"qv_{number:043}")[0], 401)
        self.assertEqual(self.call(self.running.token)[0], 200)
        after = json.loads(self.running.quiver("admin", "connections", "--json"))
        ids = [
            {c["id"] for c in found["connections"] if c.get("principalId", "0") != "0"}
            for found in (before, after)
        ]
        # The command's own connection is among those of before, and another among those of after.
        self.assertGreaterEqual(len(ids[0] & ids[1]), 1)
        self.assertLessEqual(self.value("quiver_gateway_callers"), 8 + 2)
        limit = 'quiver_gateway_limits_reached_total{limit="unproven-callers"}'
        self.assertGreaterEqual(self.wait(limit, 10), 10)
        self.expect_in_log("event=authentication-failed address=127.0.0.1")

    def test_a_limit_is_counted_and_logged(self) -> None:
        body = json.dumps({"pageToken": "x" * 8192})
        self.assertEqual(self.call(self.running.token, body)[0], 429)
        limit = 'quiver_gateway_limits_reached_total{limit="message-bytes"}'
        self.assertGreaterEqual(self.wait(limit, 1), 1)
        self.expect_in_log("event=limit-reached limit=message-bytes address=127.0.0.1")

    def test_no_line_of_the_log_has_a_token_or_a_body(self) -> None:
        before = self.running.log().count(" event=call ")
        self.call(self.running.token, '{"pageToken": "confidential"}')
        self.call("qv_" + "s" * 43)
        wait_until(lambda: self.running.log().count(" event=call ") >= before + 2)
        log = self.running.log()
        self.assertGreaterEqual(log.count(" event=call "), before + 2)
        self.assertNotIn("qv_", log)
        self.assertNotIn("confidential", log)
        for line in log.splitlines():
            self.assertRegex(line, r"^time=\S+ level=(info|warning|error) event=[a-z-]+( |$)")


class ReadinessTests(unittest.TestCase):
    def test_a_gateway_that_accepts_no_connection_is_not_ready(self) -> None:
        running = Running("--max-connections", "2")
        self.assertTrue(wait_until(lambda: running.probe("/readyz") == (200, "ok\n")))
        held = [running.connect() for _ in range(2)]
        reason = "no further connection is accepted\n"
        self.assertTrue(wait_until(lambda: running.probe("/readyz") == (503, reason)))
        for connection in held:
            connection.close()
        self.assertTrue(wait_until(lambda: running.probe("/readyz") == (200, "ok\n")))
        running.end()


class EndTests(unittest.TestCase):
    def test_a_gateway_that_keeps_something_of_requests_fails_whoever_ends_it(self) -> None:
        running = Running()
        self.addCleanup(shutil.rmtree, running.folder)
        self.assertEqual(kept_of(running.log()), [])
        with open(f"{running.folder}/gateway.log", "a") as log:
            log.write("time=2026-01-01T00:00:00Z level=error event=requests-kept requests=1 bytes=4096 tasks=1\n")
        with self.assertRaisesRegex(AssertionError, "requests=1 bytes=4096 tasks=1"):
            running.stop()


class ProxyTests(unittest.TestCase):
    def setUp(self) -> None:
        self.running = Running(
            "--trusted-proxies", "127.0.0.0/8", "--max-connections-per-address", "2",
            "--access-log", "1",
        )  # fmt: skip

    def tearDown(self) -> None:
        self.running.end()

    def open(self) -> socket.socket:
        connection = self.running.connect()
        self.addCleanup(connection.close)
        return connection

    def connect(self, address: str) -> socket.socket:
        connection = self.open()
        connection.sendall(proxy_header(address))
        return connection

    def status(self, connection: socket.socket) -> bytes:
        """The status line of a call, or nothing where the connection is closed."""
        request = (
            f"POST /quiver.v1.Health/Check HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"authorization: Bearer {self.running.token}\r\ncontent-length: 2\r\n\r\n{{}}"
        )
        try:
            connection.sendall(request.encode())
            return connection.recv(65536).split(b"\r\n")[0]
        except ConnectionError:
            return b""

    def test_the_address_in_the_header_counts(self) -> None:
        held = [self.connect("192.0.2.1") for _ in range(2)]
        for connection in held:
            self.assertEqual(self.status(connection), b"HTTP/1.1 200 OK")
        self.assertEqual(self.status(self.connect("192.0.2.1")), b"")
        other = self.connect("192.0.2.2")
        self.assertEqual(self.status(other), b"HTTP/1.1 200 OK")
        held[0].close()
        self.assertTrue(
            wait_until(lambda: self.status(self.connect("192.0.2.1")) == b"HTTP/1.1 200 OK"))
        # One line for each of the four calls, by a thread of its own.
        wait_until(lambda: len(self.logged_addresses()) == 4)
        self.assertEqual(sorted(self.logged_addresses()), ["192.0.2.1"] * 3 + ["192.0.2.2"])

    def logged_addresses(self) -> list[str]:
        return re.findall(r"event=call .* address=(\S+)", self.running.log())

    def test_a_connection_without_a_header_is_closed(self) -> None:
        self.assertEqual(self.status(self.open()), b"")


if __name__ == "__main__":
    kit.main()
