"""A whole event that phones score from a seed, with faults, and its recount.

The short form has 4 targets, with QUIVER_LONG=1 there are 15 targets of 4 archers with two phones each. The seed is printed;
QUIVER_SEED=NUMBER plays it again."""

from __future__ import annotations

import os
import random
import unittest

from playwright.sync_api import expect

from phones import MILLISECONDS, Event, PageTest, Phone

IS_LONG = os.environ.get("QUIVER_LONG") == "1"
TARGETS, ENDS, PHONES = (15, 6, 2) if IS_LONG else (4, 3, 1)
VALUES = ["X", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "M"]

# Enters an end of all archers, as fast as the page takes it: each arrow after the one before is shown.
ENTER = """async (ends) => {
  for (;;) {
    const row = document.querySelector(".row.next");
    if (!row || !document.querySelector(".pad")) return;
    const values = ends[row.dataset.archer];
    const count = row.querySelectorAll(".arrow:not(.empty)").length;
    document.querySelector(`.pad [data-value="${values[count]}"]`).click();
    await new Promise((wake) => { setTimeout(wake, 0); });
  }
}"""


def points(text: str) -> int:
    return 10 if text == "X" else 0 if text == "M" else int(text)


class EventTest(PageTest):
    def test_the_server_has_what_was_called(self) -> None:
        dice = random.Random(self.seed)
        names = [f"Archer {index:02d}" for index in range(4 * TARGETS)]
        event = Event(self.running, names, arrows=3 * ENDS, first_target=1)
        called = {archer: [sorted(dice.choices(VALUES, k=3), key=VALUES.index) for _ in range(ENDS)]
                  for archer in event.archers}  # fmt: skip
        codes = event.codes()
        phones: list[tuple[int, Phone]] = []
        for target in range(1, TARGETS + 1):
            for card in range(PHONES):
                days = dice.choice([0, 0, -2, 2])
                clock = f"const real = Date.now; Date.now = () => real() + {days * 86_400_000};"
                phone = self.phone(codes[target], clock)
                if card == 1:
                    phone.press("Keep the second card")
                phone.start()
                phones.append((target, phone))
        faults = 0
        for end in range(ENDS):
            if end == ENDS // 2:
                self.running.server.kill()
                self.running.server.wait()
                faults += 1
            for target, phone in phones:
                is_cut = dice.random() < 0.3
                if is_cut:
                    phone.context.set_offline(True)
                    faults += 1
                ends = {archer: called[archer][end] for archer in event.archers if event.target_of[archer] == target}
                phone.page.evaluate(ENTER, ends)
                # A value that was misheard: the last one of the last archer.
                if dice.random() < 0.2:
                    phone.press("Undo")
                    expect(phone.page.locator(".row.next")).to_have_count(1, timeout=MILLISECONDS)
                    phone.page.evaluate(ENTER, ends)
                    faults += 1
                phone.agree()
                if is_cut:
                    phone.context.set_offline(False)
                # The page is closed while arrows may wait; another tab goes on.
                if dice.random() < 0.2 and not self.is_down():
                    expect(phone.page.locator('#state[data-storing="0"]')).to_have_count(1, timeout=MILLISECONDS)
                    phone.page.close()
                    phone.page = phone.tab(codes[target] if dice.random() < 0.5 else "")
                    faults += 1
            if end == ENDS // 2:
                self.running.start_server()
        for _, phone in phones:
            phone.expect_saved()
        self.expect_stored_once(event, called)
        if PHONES == 2:
            for archer in event.archers:
                self.assertEqual({end: sorted(values) for end, values in event.second(archer).items()},
                                 {end: sorted(values) for end, values in enumerate(called[archer])})  # fmt: skip
        totals = {archer: sum(points(text) for end in ends for text in end) for archer, ends in called.items()}
        rows = event.call("Events/GetCategoryStandings", tournamentId=event.id, pageSize=500)["rows"]
        found = {row["entry"]["participantId"]: row["row"].get("total", 0) for row in rows}
        self.assertEqual(found, totals)
        order = [found[row["entry"]["participantId"]] for row in rows]
        self.assertEqual(order, sorted(order, reverse=True))
        self.assertEqual(len(event.devices()), len(phones))
        arrows = len(names) * 3 * ENDS
        print(f"{len(names)} archers, {len(phones)} phones, {arrows} arrows a card, {faults} faults: 0 differences")
        for _, phone in phones[:1]:
            expect(phone.page.locator("#state")).to_have_text("All saved", timeout=MILLISECONDS)

    def is_down(self) -> bool:
        return self.running.server.poll() is not None


if __name__ == "__main__":
    unittest.main()
