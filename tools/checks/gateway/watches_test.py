"""Watches of many callers through one gateway: what each is sent, and when it ends."""

from __future__ import annotations

import base64
import http.client
import json
import signal
import struct
import time
import unittest
import urllib.request
import uuid

import kit
from running import Running

ARCHERS = 3


def identity() -> str:
    """A UUIDv7."""
    tail = bytearray(uuid.uuid4().bytes[6:])
    tail[0] = 0x70 | tail[0] & 0x0F
    return base64.b64encode(int(time.time() * 1000).to_bytes(6, "big") + tail).decode()


class Watch:
    """A stream of Connect in JSON."""

    def __init__(self, running: Running, token: str, method: str, request: dict, **fields: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
        body = json.dumps(request).encode()
        headers = {"content-type": "application/connect+json", "authorization": "Bearer " + token}
        headers |= {name.replace("_", "-"): value for name, value in fields.items()}
        self.connection.request(
            "POST", f"/quiver.v1.{method}", b"\0" + struct.pack(">I", len(body)) + body, headers)
        self.messages: list[dict] = []
        self.end: dict | None = None
        self.totals: dict[str, int] = {}

    def read(self) -> dict | None:
        """The next message; None at the end, whose envelope is then in `end`."""
        if not self.messages:
            self.reply = self.connection.getresponse()
        head = self.reply.read(5)
        if len(head) < 5:
            raise ConnectionError("the stream has no end")
        message = json.loads(self.reply.read(struct.unpack(">I", head[1:])[0]))
        if head[0] == 2:
            self.end = message
            return None
        self.messages.append(message)
        for row in message.get("rows", []):
            self.totals[row["participantId"]] = row.get("total", 0)
        return message

    def read_until(self, totals: dict[str, int]) -> None:
        while any(self.totals.get(guest) != total for guest, total in totals.items()):
            assert self.read() is not None, self.end

    def close(self) -> None:
        self.connection.close()


class WatchTests(unittest.TestCase):
    running: Running

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running("--drain-milliseconds", "500")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def call(self, token: str | None, method: str, **request: object) -> dict:
        fields = {"content-type": "application/json", "idempotency-key": str(uuid.uuid4())}
        if token:
            fields["authorization"] = "Bearer " + token
        call = urllib.request.Request(
            f"http://{self.running.address}/quiver.v1.{method}", json.dumps(request).encode(), fields)
        with urllib.request.urlopen(call, timeout=30) as reply:
            return json.load(reply)

    def watch(self, token: str, method: str, request: dict, **fields: str) -> Watch:
        watch = Watch(self.running, token, method, request, **fields)
        self.addCleanup(watch.close)
        return watch

    def user(self, name: str) -> str:
        return self.running.quiver(
            "token", "create", "--name", name, "--kind", "user", "--label", "test").strip()

    def start_event(self) -> tuple[dict, list[str]]:
        token = self.running.token
        event = self.call(
            token, "Tournament/CreateTournament", name="Watched", isPublic=True,
            format={"codename": "wa18"})
        guests = self.call(
            token, "Tournament/AddEntries", tournamentId=event["id"],
            entries=[{"clientId": identity(), "name": f"Archer {n}"} for n in range(ARCHERS)],
        )["participants"]  # fmt: skip
        self.call(token, "Tournament/StartTournament", id=event["id"])
        return event, [guest["id"] for guest in guests]

    def record(self, guest: str, shot: int, value: int) -> None:
        self.call(
            self.running.token, "Tournament/RecordEnd",
            operations=[{"clientId": identity(), "kind": "OPERATION_KIND_RECORD",
                         "participantId": guest, "endIndex": shot // 3, "arrowIndex": shot % 3,
                         "value": value}])  # fmt: skip

    def boards(self, event: dict, count: int, **fields: str) -> list[Watch]:
        """Each with a spectator's token of its own."""
        request = {"tournamentId": event["id"], "top": 200}
        boards = []
        for _ in range(count):
            answer = self.call(None, "Tournament/GetSpectatorToken", joinCode=event["joinCode"])
            boards.append(
                self.watch(answer["token"], "Tournament/WatchLeaderboard", request, **fields))
            time.sleep(0.002)  # A token has the millisecond in which it expires.
        return boards

    def test_callers_with_the_same_request_see_only_what_is_theirs(self) -> None:
        tokens = {name: self.user(name) for name in ("Ann", "Ben")}
        watches = {
            name: self.watch(token, "Equipment/WatchItems", {}) for name, token in tokens.items()}
        for watch in watches.values():
            watch.read()
        for turn in range(3):
            for name, token in tokens.items():
                self.call(
                    token, "Equipment/CreateRiser",
                    riser={"brand": f"{name}'s", "model": f"{turn}", "lengthIn": 25})
        for name, watch in watches.items():
            while f"{name}'s" not in (text := json.dumps(watch.messages)) or '"2"' not in text:
                self.assertIsNotNone(watch.read())
            other = "Ben's" if name == "Ann" else "Ann's"
            self.assertNotIn(other, text)

    def test_all_boards_show_the_same_and_a_slow_one_the_latest_state(self) -> None:
        event, guests = self.start_event()
        boards = self.boards(event, 6)
        slow, others = boards[0], boards[1:]
        totals = dict.fromkeys(guests, 0)
        for shot in range(12):
            for number, guest in enumerate(guests):
                self.record(guest, shot, 6 + number)
                totals[guest] += 6 + number
        for board in others:
            board.read_until(totals)
        slow.read_until(totals)
        for board in boards:
            self.assertTrue(board.messages[0]["span"]["snapshot"])
            for before, after in zip(board.messages, board.messages[1:]):
                self.assertEqual(after["span"]["after"], before["span"]["upto"])

    def test_a_board_resumes_where_it_was(self) -> None:
        event, guests = self.start_event()
        (board,) = self.boards(event, 1)
        self.record(guests[0], 0, 9)
        board.read_until({guests[0]: 9})
        span = board.messages[-1]["span"]
        board.close()
        self.record(guests[1], 0, 8)
        (resumed,) = self.boards(
            event, 1, quiver_after_sequence=span["upto"], quiver_store_epoch=span["storeEpoch"])
        message = resumed.read()
        assert message is not None
        self.assertNotIn("snapshot", message["span"])
        self.assertEqual(message["span"]["after"], span["upto"])
        self.assertEqual([row["participantId"] for row in message["rows"]], [guests[1]])

    def test_boards_end_when_the_event_is_no_longer_public(self) -> None:
        event, guests = self.start_event()
        boards = self.boards(event, 4)
        organiser = self.watch(
            self.running.token, "Tournament/WatchLeaderboard",
            {"tournamentId": event["id"], "top": 200})
        for board in [*boards, organiser]:
            board.read()
        current = self.call(self.running.token, "Tournament/GetTournament", id=event["id"])
        self.call(
            self.running.token, "Tournament/UpdateTournament", updateMask=["is_public"],
            tournament={"id": event["id"], "revision": current["revision"], "isPublic": False})
        for board in boards:
            while board.read() is not None:
                pass
            assert board.end is not None
            self.assertIn("error", board.end)
        # Who takes part goes on, with the same request.
        self.record(guests[0], 0, 10)
        organiser.read_until({guests[0]: 10})

    def test_a_drain_ends_boards(self) -> None:
        event, _ = self.start_event()
        boards = self.boards(event, 4)
        for board in boards:
            board.read()
        self.running.gateway.send_signal(signal.SIGTERM)
        self.assertEqual(self.running.gateway.wait(30), 0)
        for board in boards:
            with self.assertRaises((ConnectionError, http.client.HTTPException)):
                while board.read() is not None:
                    pass
                raise ConnectionError("it has ended in its own words")
        self.running.start_gateway()


if __name__ == "__main__":
    kit.main()
