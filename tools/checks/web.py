"""Starts quiverd with --web, as a club does, and ends its parts in every order."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest

from running import PROGRAMS, free_port, kept_of, scanned, wait_until

CERTIFICATES = pathlib.Path(os.environ["QUIVER_CERTIFICATES"])


def network_address() -> str:
    """The address of this machine in its network: nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]


def is_alive(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Club:
    """quiverd with --web, and what it says."""

    def __init__(self, *arguments: str, address: str | None = None, terminal: bool = False) -> None:
        self.folder = tempfile.mkdtemp(prefix="quiver-web")
        self.data = f"{self.folder}/data"
        self.port = free_port()
        self.host = network_address()
        self.metrics = free_port()
        self.written = b""
        self.start("--init", *arguments, address=address, terminal=terminal)

    def start(self, *arguments: str, address: str | None = None, terminal: bool = False) -> None:
        output: int = subprocess.DEVNULL
        if terminal:
            near, output = pty.openpty()
            threading.Thread(target=self.read, args=(near,), daemon=True).start()
        with open(f"{self.folder}/log", "ab") as log:
            self.server = subprocess.Popen(
                [str(PROGRAMS / "quiverd"), "--data", self.data, "--listen",
                 f"unix:{self.folder}/socket", "--metrics", f"127.0.0.1:{self.metrics}", "--web",
                 address or f"{self.host}:{self.port}", *arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=log)  # fmt: skip
        if terminal:
            os.close(output)

    def read(self, descriptor: int) -> None:
        with contextlib.suppress(OSError):
            while part := os.read(descriptor, 65_536):
                self.written += part

    def log(self) -> str:
        return pathlib.Path(f"{self.folder}/log").read_text()

    def awaits(self, event: str, count: int = 1) -> None:
        found = wait_until(lambda: self.log().count(f" event={event}") >= count, 60)
        assert found, f"no {event} in {self.log()}"

    def gateway(self) -> int:
        """The process of the gateway that was started last."""
        return int(re.findall(r" event=starting version=\S+ pid=(\d+)", self.log())[-1])

    def get(self, path: str, host: str | None = None, port: int | None = None,
            name: str | None = None) -> tuple[int, str]:  # fmt: skip
        connection = http.client.HTTPConnection(host or self.host, port or self.port, timeout=20)
        connection.request("GET", path, headers={"host": name} if name else {})
        answer = connection.getresponse()
        try:
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def probe(self, path: str) -> tuple[int, str]:
        return self.get(path, "127.0.0.1", self.metrics)

    def call(self, method: str, request: dict, host: str | None = None,
             token: str | None = None, **fields: str) -> tuple[int, dict]:  # fmt: skip
        connection = http.client.HTTPConnection(host or self.host, self.port, timeout=20)
        headers = {"content-type": "application/json", **fields}
        if token:
            headers["authorization"] = "Bearer " + token
        connection.request("POST", "/quiver.v1." + method, json.dumps(request), headers)
        answer = connection.getresponse()
        try:
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def token(self) -> str:
        return pathlib.Path(self.data, "admin.token").read_text().strip()

    def end(self) -> None:
        if self.server.poll() is None:
            self.server.terminate()
        self.server.wait(60)
        kept = kept_of(self.log())
        shutil.rmtree(self.folder, ignore_errors=True)
        assert not kept, kept


class WebTests(unittest.TestCase):
    def start(self, *arguments: str, **options: object) -> Club:
        club = Club(*arguments, **options)  # type: ignore[arg-type]
        self.addCleanup(club.end)
        return club

    def serving(self, *arguments: str, **options: object) -> Club:
        club = self.start(*arguments, **options)
        club.awaits("web-serving")
        return club

    def test_phones_get_the_pages_and_the_server_decides_what_they_may_call(self) -> None:
        club = self.serving()
        self.assertEqual(club.get("/score")[0], 200)
        self.assertEqual(club.call("Health/Check", {})[1], {"status": "SERVING_STATUS_SERVING"})
        token = club.token()
        status, refusal = club.call("Account/WhoAmI", {}, token=token)
        self.assertEqual((status, refusal["code"]), (403, "permission_denied"))
        self.assertIn("use an address with https", refusal["message"])
        status, refusal = club.call("Account/RedeemInvite", {"code": "0" * 16})
        self.assertEqual((status, refusal["code"]), (403, "permission_denied"))
        # On the laptop itself nothing is read by others.
        self.assertEqual(club.call("Account/WhoAmI", {}, "127.0.0.1", token)[0], 200)

    def test_an_event_is_watched_over_the_network_by_everybody(self) -> None:
        club = self.serving()
        _, event = club.call("Tournament/CreateTournament",
                             {"name": "Cup", "isPublic": True, "format": {"codename": "wa18"}},
                             "127.0.0.1", club.token())  # fmt: skip
        status, answer = club.call("Tournament/GetSpectatorToken", {"joinCode": event["joinCode"]})
        self.assertEqual(status, 200, answer)
        flags, change = self.first(club, "Tournament/WatchLeaderboard", {"tournamentId": event["id"]},
                                   answer["token"])  # fmt: skip
        self.assertEqual(flags, 0, change)

    def first(self, club: Club, method: str, request: dict, token: str) -> tuple[int, dict]:
        """The flags and the content of the first envelope of a stream; flags of 2: it has ended."""
        body = json.dumps(request).encode()
        connection = http.client.HTTPConnection(club.host, club.port, timeout=20)
        connection.request("POST", "/quiver.v1." + method, b"\0" + len(body).to_bytes(4, "big") + body,
                           {"content-type": "application/connect+json", "authorization": "Bearer " + token})  # fmt: skip
        answer = connection.getresponse()
        head = answer.read(5)
        content = json.loads(answer.read(int.from_bytes(head[1:], "big")))
        connection.close()
        return head[0], content

    def test_callers_can_neither_take_the_mark_away_nor_state_an_address(self) -> None:
        club = self.serving()
        for value in ("", "0", "no"):
            status, _ = club.call("Account/WhoAmI", {}, token=club.token(),
                                  **{"quiver-unencrypted": value})  # fmt: skip
            self.assertEqual(status, 403)
        # Nor is the mark of a caller taken where the connection is private.
        status, _ = club.call("Account/WhoAmI", {}, "127.0.0.1", club.token(),
                              **{"quiver-unencrypted": "1"})  # fmt: skip
        self.assertEqual(status, 200)

    def test_a_server_that_is_killed_leaves_neither_a_process_nor_its_port(self) -> None:
        club = self.serving()
        gateway = club.gateway()
        self.assertTrue(is_alive(gateway))
        club.server.kill()
        club.server.wait(20)
        self.assertTrue(wait_until(lambda: not is_alive(gateway)))

        def is_free() -> bool:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((club.host, club.port))
                except OSError:
                    return False
                return True

        # A process is a zombie as soon as its first thread has ended; its files are closed with the last one.
        self.assertTrue(wait_until(is_free))

    def test_a_gateway_that_ends_is_started_again(self) -> None:
        club = self.serving()
        first = club.gateway()
        os.kill(first, signal.SIGKILL)
        club.awaits("web-serving", 2)
        self.assertNotEqual(club.gateway(), first)
        self.assertIn("event=web-ended", club.log())
        self.assertEqual(club.get("/score")[0], 200)
        self.assertEqual(club.probe("/readyz"), (200, "ok\n"))
        metrics = club.probe("/metrics")[1]
        self.assertIn("quiver_web_restarts_total 1\n", metrics)
        self.assertIn("quiver_web_available 1\n", metrics)

    def test_the_gateway_drains_first_and_both_end_well(self) -> None:
        club = self.serving()
        gateway = club.gateway()
        club.server.terminate()
        self.assertEqual(club.server.wait(60), 0)
        self.assertFalse(is_alive(gateway))
        ends = re.findall(r" event=(draining|stopped)", club.log())
        # The server's signal, the gateway's, the gateway's end, the server's end.
        self.assertEqual(ends, ["draining", "draining", "stopped", "stopped"])

    def test_a_port_that_another_program_has_is_said_and_tried_again(self) -> None:
        club_port = free_port()
        host = network_address()
        with socket.socket() as other:
            other.bind((host, club_port))
            other.listen()
            club = self.start(address=f"{host}:{club_port}")
            club.port = club_port
            club.awaits("web-ended")
            status, reason = club.probe("/readyz")
            self.assertEqual(status, 503)
            self.assertIn("the gateway of --web", reason)
            self.assertIn("Address already in use", club.log())
            self.assertIn("quiver_web_available 0\n", club.probe("/metrics")[1])
        club.awaits("web-serving")
        self.assertEqual(club.get("/score")[0], 200)

    def test_with_a_certificate_every_token_is_taken(self) -> None:
        port = free_port()
        club = self.serving("--web-certificate", str(CERTIFICATES / "server.pem"), "--web-key",
                            str(CERTIFICATES / "server.key"), address=f"127.0.0.1:{port}")  # fmt: skip
        context = ssl.create_default_context(cafile=str(CERTIFICATES / "ca.pem"))
        connection = http.client.HTTPSConnection("localhost", port, timeout=20, context=context)
        connection.request("POST", "/quiver.v1.Account/WhoAmI", "{}",
                           {"content-type": "application/json", "authorization": "Bearer " + club.token()})  # fmt: skip
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()

    def test_the_name_of_the_public_address_is_served_and_no_other_name(self) -> None:
        club = self.serving("--public-url", "https://scores.club.example:8443")
        self.assertIn("address=https://scores.club.example:8443", club.log())
        for name, expected in ((None, 200), ("scores.club.example:8443", 200), ("localhost", 200),
                               ("evil.example", 421), ("club.example", 421)):
            self.assertEqual(club.get("/score", name=name)[0], expected, name)

    def test_pages_that_share_an_address_name_the_one_that_phones_reach(self) -> None:
        club = self.serving()
        address = f"http://{club.host}:{club.port}"
        # The desk is opened on the laptop itself, where phones are not.
        for path in ("/desk", "/board/ABCD"):
            self.assertIn(f'<meta name="quiver-address" content="{address}">', club.get(path, "127.0.0.1")[1])
        named = self.serving("--public-url", "https://scores.club.example:8443")
        self.assertIn('content="https://scores.club.example:8443">', named.get("/desk", "127.0.0.1")[1])
        alone = self.serving(address=f"127.0.0.1:{free_port()}")
        alone.host, alone.port = "127.0.0.1", int(re.findall(r"address=http://127\.0\.0\.1:(\d+)", alone.log())[-1])
        self.assertNotIn("quiver-address", alone.get("/desk")[1])

    def test_the_terminal_shows_the_address_and_a_code_that_a_phone_reads(self) -> None:
        club = self.serving(terminal=True)
        self.assertTrue(wait_until(lambda: b"Phones in the same network" in club.written))
        text = club.written.decode().replace("\r\n", "\n")
        address = f"http://{club.host}:{club.port}"
        self.assertIn(f"The pages for phones are at {address}\n", text)
        self.assertEqual(scanned(text), address + "/")
        self.assertNotIn("before", text)

    def test_the_terminal_shows_the_code_of_the_wifi_and_says_when_the_address_has_changed(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as wifi:
            wifi.write("Club Hall\nthe butts; 18 m\n")
            wifi.flush()
            club = self.serving("--web-wifi", wifi.name, terminal=True)
            self.assertTrue(wait_until(lambda: b"Phones in the same network" in club.written))
            text = club.written.decode().replace("\r\n", "\n")
            code, rest = text.split("This code joins the Wi-Fi Club Hall.")
            self.assertEqual(scanned(code), r"WIFI:T:WPA;S:Club Hall;P:the butts\; 18 m;;")
            self.assertEqual(scanned(rest), f"http://{club.host}:{club.port}/")
            self.assertNotIn("the butts", text)
        club.server.terminate()
        club.server.wait(60)
        first, club.port, club.written = club.port, free_port(), b""
        club.start(terminal=True)
        self.assertTrue(wait_until(lambda: b"The address was" in club.written))
        self.assertIn(f"The address was http://{club.host}:{first} before", club.written.decode())
        self.assertIn(f"before=http://{club.host}:{first}", club.log())

    def test_an_address_that_cannot_be_kept_is_said(self) -> None:
        club = self.serving()
        self.assertNotIn("kept=no", club.log())
        club.server.terminate()
        club.server.wait(60)
        os.unlink(f"{club.data}/web.address")
        os.mkdir(f"{club.data}/web.address")
        club.start()
        club.awaits("web-serving", 2)
        self.assertIn("kept=no", club.log())

    def test_what_cannot_work_is_said_at_the_start(self) -> None:
        cases = [
            (["--web", "lan", "--web-key", "a"], 64, "go together"),
            (["--public-url", "https://a.example"], 64, "need --web"),
            (["--web-open-officials"], 64, "need --web"),
            (["--web", "lan", "--web-open-officials", "--web-certificate", "a", "--web-key", "b"], 64, "without a certificate"),
            (["--web", "a b"], 64, "--web requires"), (["--web", "127.0.0.1:0"], 64, "--web requires"),
            (["--web", "lan", "--public-url", "a.example"], 64, "--public-url requires"),
            (["--web", "lan", "--public-url", "https://a.example/x"], 64, "--public-url requires"),
            (["--web", "127.0.0.1", "--web-wifi", "/none"], 64, "cannot be read"),
            (["--web", "127.0.0.1", "--web-wifi", "/dev/null"], 64, "its first line"),
        ]  # fmt: skip
        for arguments, code, words in cases:
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [str(PROGRAMS / "quiverd"), "--init", "--data", folder, "--listen",
                     f"unix:{folder}/socket", *arguments], stderr=subprocess.PIPE, text=True, timeout=60)  # fmt: skip
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)

    def test_a_data_directory_whose_path_is_too_long_for_a_socket_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [str(PROGRAMS / "quiverd"), "--init", "--data", f"{folder}/{'d' * 100}", "--listen",
                 f"unix:{folder}/socket", "--web", "127.0.0.1"], stderr=subprocess.PIPE, text=True, timeout=60)  # fmt: skip
            self.assertEqual(done.returncode, 64, done.stderr)
            self.assertIn("too long for a socket", done.stderr)


class GatewayTests(unittest.TestCase):
    def test_a_gateway_for_everybody_needs_a_token_and_a_server_that_decides(self) -> None:
        done = subprocess.run([str(PROGRAMS / "quiver-gateway"), "--open-listen", "127.0.0.1:0"],
                              stderr=subprocess.PIPE, text=True, timeout=60)  # fmt: skip
        self.assertEqual(done.returncode, 64)
        self.assertIn("--open-listen 127.0.0.1:0 needs --token-file", done.stderr)
        # This server knows no gateway, so that the mark of its calls would say nothing.
        with tempfile.TemporaryDirectory() as folder:
            server = subprocess.Popen(
                [str(PROGRAMS / "quiverd"), "--init", "--data", f"{folder}/data", "--listen",
                 f"unix:{folder}/socket"], stderr=subprocess.DEVNULL)  # fmt: skip
            try:
                token = pathlib.Path(folder, "data/admin.token")
                self.assertTrue(wait_until(lambda: pathlib.Path(folder, "socket").exists() and token.exists()))
                done = subprocess.run(
                    [str(PROGRAMS / "quiver-gateway"), "--open-listen", "127.0.0.1:0", "--server",
                     f"unix:{folder}/socket", "--token-file", str(token)],
                    stderr=subprocess.PIPE, text=True, timeout=60)  # fmt: skip
                self.assertEqual(done.returncode, 64, done.stderr)
                self.assertIn("the server takes any token there", done.stderr)
            finally:
                server.terminate()
                server.wait(60)

    def test_a_socket_without_a_token_is_refused(self) -> None:
        near, far = socket.socketpair()
        near.sendall(b"no line")
        near.close()
        done = subprocess.run(
            [str(PROGRAMS / "quiver-gateway"), "--listen", "127.0.0.1:0", "--parent", str(far.fileno())],
            pass_fds=[far.fileno()], stderr=subprocess.PIPE, text=True, timeout=60)  # fmt: skip
        far.close()
        self.assertEqual(done.returncode, 64)
        self.assertIn("has no line with a token", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
