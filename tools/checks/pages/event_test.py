"""A whole event that phones score from a seed, with faults, and its recount.

The short form has 4 targets with a phone each; with QUIVER_LONG=1 there are 15 targets of 4 archers with two phones each. Each
phone is a page of Chromium with an origin and a network of its own. The seed is printed; QUIVER_SEED=NUMBER plays it again:
the dice fall in the same order, while the moments at which programs are killed differ. QUIVER_ENDS is how many ends are shot."""

from __future__ import annotations

import base64
import contextlib
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page, expect

from faults import Faults, Proxy
import kit
from kit import WITH_WINDOWS
from phones import ARGUMENTS, HOST, MILLISECONDS, Event, PageTest, press_until_gone, processes_of, wait_until

IS_LONG = os.environ.get("QUIVER_LONG") == "1"
TARGETS, BROWSERS = (15, 3) if IS_LONG else (4, 2)
# Those that have a phone for the second card, too.
SECONDS_AT = range(1, TARGETS + 1 if IS_LONG else 1)
ENDS = int(os.environ.get("QUIVER_ENDS", "6" if IS_LONG else "3"))
VALUES = ["X", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "M"]
# How long a person tries to enter an end before the run fails.
SECONDS = 4 * MILLISECONDS // 1000

# The clock of a phone, wrong by days that change, and storage that can become full.
SCRIPT = """{
  const Real = Date, now = Date.now, put = IDBObjectStore.prototype.put, add = IDBObjectStore.prototype.add;
  window.days = DAYS;
  window.Date = class extends Real {
    constructor(...values) { super(...(values.length > 0 ? values : [window.Date.now()])); }
    static now() { return now() + window.days * 86_400_000; }
  };
  for (const [name, real] of [["put", put], ["add", add]]) {
    IDBObjectStore.prototype[name] = function (...values) {
      if (window.isFull) throw new DOMException("no space", "QuotaExceededError");
      return real.apply(this, values);
    };
  }
}"""

# Plays an end as people do: they enter what was called and is not there, take back what was misheard, and agree.
PLAY = """async ({ ends, number, misheard, seconds }) => {
  const limit = performance.now() + seconds * 1000;
  const pause = (time) => new Promise((wake) => { setTimeout(wake, time); });
  const until = async (holds) => {
    for (let count = 0; count < 500 && !holds(); count += 1) await pause(20);
    return holds();
  };
  const shown = (archer) => [...document.querySelectorAll(`.row[data-archer="${archer}"] .arrow:not(.empty)`)]
    .map((one) => one.textContent);
  while (performance.now() < limit) {
    const found = Number(/^End (\\d+) of/.exec(document.querySelector("h1")?.textContent ?? "")?.[1] ?? 0);
    if (/All arrows are entered|Compare with the card/.test(document.querySelector(".foot")?.textContent ?? "")) return "";
    if (found > number + 1) return "";
    const archer = document.querySelector(".row.next")?.dataset.archer;
    const agree = document.querySelector("button.agree");
    if (archer && found === number + 1 && document.querySelector(".pad")) {
      const left = [...ends[archer]];
      const wrong = shown(archer).filter((value) => !left.includes(value) || left.splice(left.indexOf(value), 1).length === 0);
      const before = shown(archer).length;
      const isMisheard = misheard === archer;
      if (isMisheard) {
        misheard = "";
        document.querySelector(`.pad [data-value="${left[0] === "M" ? "1" : "M"}"]`).click();
        await until(() => document.querySelector('#state[data-storing="0"]'));
        await pause(Math.random() * 300);
      }
      // What was misheard is taken back, also after the page was loaded anew.
      if (isMisheard ? shown(archer).length === before + 1 : wrong.length > 0) {
        [...document.querySelectorAll(".foot .tools button")].find((one) => one.textContent === "Undo").click();
        if (!await until(() => shown(archer).length < before + (isMisheard ? 1 : 0))) return `an arrow of ${archer} is not taken back`;
        continue;
      }
      if (isMisheard) continue;
      document.querySelector(`.pad [data-value="${left[0]}"]`).click();
      await pause(0);
    } else if (agree && !agree.disabled) {
      agree.click();
      await pause(0);
    } else {
      await pause(20);
    }
  }
  const { storing } = document.querySelector("#state")?.dataset ?? {};
  return `nobody could enter end ${number + 1}, ${storing} changes are being stored: ${document.body.innerText}`;
}"""

# All operations that the outboxes of an origin have, and how they ended.
OPERATIONS = """async () => {
  const found = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith("quiver-score-")) continue;
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await done(indexedDB.open(name));
    const entries = await done(database.transaction("entries").objectStore("entries").getAll());
    database.close();
    found.push(...entries.map(({ clientId, kind, state, message }) => [clientId, kind, state, message]));
  }
  return found;
}"""


def points(text: str) -> int:
    return 10 if text == "X" else 0 if text == "M" else int(text)


def in_order(values: list[str]) -> list[str]:
    return sorted(values, key=VALUES.index)


class Browser:
    """A browser with some of the phones, its data outlives its end."""

    def __init__(self, test: EventTest) -> None:
        self.test = test
        # In memory where that can be: programs are killed here, not the machine, and 30 phones wait for each write.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.mkdtemp(prefix="quiver-phones", dir=memory)
        self.phones: list[EventPhone] = []
        self.open()

    def open(self) -> None:
        self.context: BrowserContext = self.test.playwright.chromium.launch_persistent_context(
            self.folder, executable_path=WITH_WINDOWS, locale="en-GB", viewport={"width": 390, "height": 844},
            # Origins of one site share processes: 30 phones fit into a small machine.
            args=[*ARGUMENTS, "--renderer-process-limit=2"])  # fmt: skip

    def kill(self) -> None:
        for process in processes_of(self.folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        wait_until(lambda: not processes_of(self.folder))
        with contextlib.suppress(Error):
            self.context.close()

    def end(self) -> None:
        with contextlib.suppress(Error):
            self.context.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class EventPhone:
    """A phone that keeps a card of a target: a page with an origin of its own behind a network of its own."""

    def __init__(self, browser: Browser, proxy: Proxy, target: int, card: int, code: str, days: int) -> None:
        (self.browser, self.proxy, self.target, self.card, self.code, self.days) = (browser, proxy, target, card, code, days)
        self.faults: list[str] = []
        self.page = self.tab(code)
        if card == 2:
            self.press("Keep the second card")
        # Where somebody else has begun, the page goes on as soon as it is told.
        self.page.wait_for_function("""() => {
          if (document.querySelector(".row")) return true;
          [...document.querySelectorAll("button")].find((one) => one.textContent === "Start entering")?.click();
          return false;
        }""")
        browser.phones.append(self)

    def __repr__(self) -> str:
        return f"target {self.target} card {self.card}"

    def tab(self, code: str = "") -> Page:
        page = self.browser.context.new_page()
        page.set_default_timeout(MILLISECONDS)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.add_init_script(SCRIPT.replace("DAYS", str(self.days)))
        for _ in range(20):
            # The network may fail just now: a person loads the page again.
            with contextlib.suppress(Error):
                page.goto(f"http://{HOST}:{self.proxy.port}/score" + (f"#{code}" if code else ""))
                page.wait_for_selector("header", timeout=MILLISECONDS / 4)
                break
            time.sleep(0.2)
        return page

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def play(self, ends: dict[str, list[str]], number: int, misheard: str) -> None:
        """Starts entering an end; `finish` waits for it."""
        self.request = {"ends": ends, "number": number, "misheard": misheard, "seconds": SECONDS}
        self.page.evaluate(f"(request) => {{ window.playing = ({PLAY})(request); }}", self.request)

    def again(self) -> None:
        """Goes on after the page was loaded anew: what the page shows need not be entered again."""
        self.page.evaluate(f"(request) => {{ window.playing = ({PLAY})(request); }}", {**self.request, "misheard": ""})

    def finish(self) -> str:
        said: str = self.page.evaluate("() => window.playing")
        return f"{self}: {said}" if said else ""

    def expect_saved(self) -> None:
        expect(self.page.locator("#state")).to_have_text("All saved", timeout=2 * MILLISECONDS)

    def correct(self, archer: str, end: int, place: int, value: str, by: str) -> None:
        """Corrects an arrow of an end that was agreed, with a reason, and another archer's tap."""
        self.page.locator(f'.row[data-archer="{archer}"] .total').click()
        self.page.locator(f'[data-end="{end}"] button').click()
        self.page.locator(".choice button").nth(place).click()
        self.page.locator(f'.pad [data-value="{value}"]').click()
        self.press("misheard")
        self.page.locator("main").get_by_role("button", name=by).click()
        press_until_gone(self.page.get_by_role("button", name="Back", exact=True))


class EventTest(PageTest):
    def setUp(self) -> None:
        self.dice = random.Random(self.seed)
        self.counts: Counter[str] = Counter()
        self.faults = Faults()
        self.addCleanup(self.faults.end)
        names = [f"Archer {index:02d}" for index in range(4 * TARGETS)]
        self.event = Event(self.running, names, arrows=3 * ENDS, first_target=1)
        self.name_of = dict(zip(self.event.archers, names, strict=True))
        self.letter_of = {archer: "ABCD"[index % 4] for index, archer in enumerate(self.event.archers)}
        self.called = {archer: [in_order(self.dice.choices(VALUES, k=3)) for _ in range(ENDS)]
                       for archer in self.event.archers}  # fmt: skip
        self.codes = self.event.codes()
        self.browsers = [Browser(self) for _ in range(BROWSERS)]
        for browser in self.browsers:
            self.addCleanup(browser.end)
        self.phones: list[EventPhone] = []
        # Phones that somebody else has replaced.
        self.replaced: list[EventPhone] = []
        # Ends of second cards that a judge has overruled: what the card has there stays.
        self.ruled: dict[tuple[str, int], list[str]] = {}

    def phone(self, target: int, card: int) -> EventPhone:
        browser = self.browsers[(target + card) % BROWSERS]
        days = self.dice.choice([0, 0, -2, 2])
        self.counts["clocks wrong by two days"] += days != 0
        phone = EventPhone(browser, Proxy(self.faults, self.running.port), target, card, self.codes[target], days)
        self.addCleanup(lambda: self.assertEqual(phone.faults, [], str(phone)))
        return phone

    def ends_of(self, phone: EventPhone, end: int) -> dict[str, list[str]]:
        return {archer: self.called[archer][end] for archer in self.event.archers
                if self.event.target_of[archer] == phone.target}  # fmt: skip

    def test_the_server_has_what_was_called(self) -> None:
        self.refuse_storage(self.dice.randrange(1, TARGETS + 1))
        self.began = time.monotonic()
        self.phones = [self.phone(target, 1) for target in range(1, TARGETS + 1)]
        self.phones += [self.phone(target, 2) for target in SECONDS_AT]
        for end in range(ENDS):
            disputed = self.dispute() if SECONDS_AT and (end == 0 or self.dice.random() < 0.5) else None
            self.play(end, disputed)
            if disputed:
                self.resolve(end, *disputed)
            if end > 0 and self.dice.random() < 0.5:
                self.correct(self.dice.randrange(end))
            if end == 0 or self.dice.random() < 0.5:
                self.move()
            if self.dice.random() < 0.3 or end == 1:
                self.replace_a_phone(end)
        for phone in self.phones + self.replaced:
            phone.proxy.open()
        for phone in self.phones:
            phone.expect_saved()
        self.recount()

    def play(self, end: int, disputed: tuple[str, int, str] | None) -> None:
        """All phones enter an end at once, while things fail."""
        dice = self.dice
        for phone in dice.sample(self.phones, len(self.phones)):
            self.network(phone)
            ends = self.ends_of(phone, end)
            if disputed and phone.card == 2 and disputed[0] in ends:
                ends[disputed[0]] = self.misread(end, *disputed)
            misheard = dice.choice(list(ends)) if dice.random() < 0.3 else ""
            self.counts["arrows misheard and taken back"] += misheard != ""
            self.tab(phone)
            phone.play(ends, end, misheard)
            if dice.random() < 0.1:
                self.counts["clocks set while arrows waited"] += 1
                phone.page.evaluate("(days) => { window.days = days; }", dice.choice([-2, 0, 2]))
        kind = ["server", "browser", "gateway"][end % 3]
        time.sleep(dice.random() * 2)
        if kind == "server":
            self.counts["servers killed"] += 1
            self.running.server.kill()
            self.running.server.wait()
            time.sleep(dice.random() * 2)
            self.running.start_server()
        elif kind == "gateway":
            self.counts["gateways killed"] += 1
            self.running.gateway.kill()
            self.running.gateway.wait()
            time.sleep(dice.random())
            self.running.start_gateway()
        else:
            self.kill_browser(dice.choice(self.browsers))
        full = dice.choice(self.phones)
        self.counts["phones that became full"] += 1
        full.page.evaluate("() => { window.isFull = true; }")
        time.sleep(0.3)
        full.page.evaluate("() => { window.isFull = false; }")
        self.kill_tab(dice.choice(self.phones))
        said = [one for one in (phone.finish() for phone in self.phones) if one]
        self.assertEqual(said, [])

    def network(self, phone: EventPhone) -> None:
        """What the network of a phone does during an end."""
        die = self.dice.random()
        count = self.dice.randrange(6000)
        if die < 0.2:
            self.counts["phones without a network"] += 1
            phone.proxy.close()
        elif die < 0.4:
            self.counts["networks that lost all answers"] += 1
            phone.proxy.lose_answers()
        elif die < 0.7:
            self.counts["connections cut at a byte"] += 1
            phone.proxy.cut_after(count)
        else:
            phone.proxy.open()

    def tab(self, phone: EventPhone) -> None:
        """Another tab goes on, beside the former one or instead of it."""
        die = self.dice.random()
        # The page must come from somewhere.
        if die > 0.2 or phone.proxy.is_closed or phone.proxy.is_losing:
            return
        self.counts["tabs duplicated or replaced"] += 1
        former = phone.page
        if die < 0.1:
            former.close()
        phone.page = phone.tab(phone.code if self.dice.random() < 0.5 else "")

    def kill_browser(self, browser: Browser) -> None:
        """All of its phones are gone at once, wherever they are between a touch and an answer."""
        self.counts["browsers killed"] += 1
        browser.kill()
        browser.open()
        for phone in browser.phones:
            if phone in self.replaced:
                continue
            phone.proxy.open()
            phone.page = phone.tab()
            phone.again()

    def kill_tab(self, phone: EventPhone) -> None:
        """A tab is gone in the middle of an end, and the page is opened again."""
        self.counts["tabs killed"] += 1
        phone.proxy.open()
        phone.page.close(run_before_unload=False)
        phone.page = phone.tab()
        phone.again()

    def refuse_storage(self, target: int) -> None:
        """A phone in a private window says so before the first arrow, and another one scores."""
        self.counts["phones that refused storage"] += 1
        context = self.context("Object.defineProperty(window, 'indexedDB', { value: undefined });")
        page = context.new_page()
        page.goto(f"{self.address()}/score#{self.codes[target]}", timeout=MILLISECONDS)
        expect(page.locator("#page")).to_contain_text("This browser stores nothing for this page", timeout=MILLISECONDS)
        context.close()

    def correct(self, end: int) -> None:
        """An arrow that the caller got wrong is corrected on all cards of the archer."""
        archer = self.dice.choice([one for one in self.event.archers if (one, end) not in self.ruled])
        before = self.called[archer][end]
        place = self.dice.randrange(3)
        value = self.dice.choice([one for one in VALUES if one != before[place]])
        for phone in self.phones_at(self.event.target_of[archer]):
            phone.correct(archer, end, place, value, self.name_of[self.neighbour(archer)])
        self.called[archer][end] = in_order(before[:place] + [value] + before[place + 1 :])
        self.counts["arrows corrected after the end"] += 1

    def phones_at(self, target: int) -> list[EventPhone]:
        return [phone for phone in self.phones if phone.target == target]

    def neighbour(self, archer: str) -> str:
        """Another archer of the target."""
        target = self.event.target_of[archer]
        return next(one for one in self.event.archers if one != archer and self.event.target_of[one] == target)

    def dispute(self) -> tuple[str, int, str]:
        """An archer, a place of an end and a value: what the keeper of the second card understands there."""
        archers = [one for one in self.event.archers if self.event.target_of[one] in SECONDS_AT]
        return self.dice.choice(archers), self.dice.randrange(3), self.dice.choice(VALUES)

    def misread(self, end: int, archer: str, place: int, value: str) -> list[str]:
        called = self.called[archer][end]
        return in_order(called[:place] + [value] + called[place + 1 :])

    def resolve(self, end: int, archer: str, place: int, value: str) -> None:
        """Both phones show that the cards differ. Who keeps the second card corrects it, or a judge rules."""
        called, second = self.called[archer][end], self.misread(end, archer, place, value)
        if called == second:
            return
        self.counts["ends in dispute"] += 1
        phones = self.phones_at(self.event.target_of[archer])
        for phone in phones:
            phone.proxy.open()
        for phone in phones:
            phone.expect_saved()
        for phone in phones:
            expect(phone.page.locator(f'.row[data-archer="{archer}"] .mark')).to_be_visible(timeout=2 * MILLISECONDS)
        [found] = [one for one in self.event.call("Events/ListCardDisputes", tournamentId=self.event.id)["disputes"]
                   if one["participantId"] == archer]  # fmt: skip
        self.assertEqual(found.get("endIndex", 0), end)
        if self.dice.random() < 0.5:
            [keeper] = [phone for phone in phones if phone.card == 2]
            wrong, right = list((Counter(second) - Counter(called)).elements()), list((Counter(called) - Counter(second)).elements())
            keeper.correct(archer, end, second.index(wrong[0]), right[0], self.name_of[self.neighbour(archer)])
        else:
            self.counts["rulings"] += 1
            self.ruled[archer, end] = second
            arrows = [{"value": points(text), "isX": text == "X"} for text in called]
            self.event.call("Events/RuleOnEnd", participantId=archer, endIndex=end, arrows=arrows, reason="seen at the target")
        for phone in phones:
            expect(phone.page.locator(f'.row[data-archer="{archer}"] .mark')).to_have_count(0, timeout=2 * MILLISECONDS)

    def move(self) -> None:
        """Two archers change places; the phones of both targets go on with the cards of who is there now."""
        self.counts["archers moved to another target"] += 2
        targets = self.event.target_of
        one = self.dice.choice(self.event.archers)
        other = self.dice.choice([two for two in self.event.archers if targets[two] != targets[one]])
        if (targets[one] in SECONDS_AT) != (targets[other] in SECONDS_AT):
            # A second card is kept for whole rounds: who has one goes where one is kept.
            return self.counts.subtract({"archers moved to another target": 2})
        phones = self.phones_at(targets[one]) + self.phones_at(targets[other])
        for phone in phones:
            phone.proxy.open()
        for phone in phones:
            phone.expect_saved()
        self.event.call("Events/PlaceEventEntry", participantId=one, sessionId=self.event.session, target=targets[other],
                        letter=self.letter_of[other], swap=True)  # fmt: skip
        for places in (targets, self.letter_of):
            places[one], places[other] = places[other], places[one]
        for phone in phones:
            wanted = sorted((archer for archer in targets if targets[archer] == phone.target), key=self.letter_of.__getitem__)
            rows = phone.page.locator(".row")
            for place, archer in enumerate(wanted):
                expect(rows.nth(place)).to_have_attribute("data-archer", archer, timeout=2 * MILLISECONDS)

    def replace_a_phone(self, end: int) -> None:
        """A phone is out of power with arrows that wait. Another one takes its card, and in the end the first delivers.

        The desk ends its device, or takes its target over and lets it go, and the device may deliver nevertheless."""
        if end + 1 == ENDS:
            return
        self.counts["phones replaced while their arrows waited"] += 1
        former = self.dice.choice(self.phones)
        former.proxy.open()
        former.expect_saved()
        former.proxy.close()
        former.play(self.ends_of(former, end + 1), end + 1, "")
        self.assertEqual(former.finish(), "")
        device = self.device_of(former)
        former.page.close()
        if self.dice.random() < 0.5:
            self.event.call("Events/EndDevice", tournamentId=self.event.id, principalId=device)
        else:
            self.counts["targets taken over"] += 1
            self.event.call("Events/JoinTarget", code=former.code, device="desk", card=former.card, takeOver=True)
            self.event.call("Events/LeaveTarget", tournamentId=self.event.id, sessionId=self.event.session,
                            target=former.target, card=former.card)  # fmt: skip
        self.phones.remove(former)
        self.replaced.append(former)
        self.phones.append(self.phone(former.target, former.card))

    def device_of(self, phone: EventPhone) -> str:
        """The principal of a phone: that of its name which has its target."""
        name = phone.page.evaluate("""async () => {
          const opening = indexedDB.open("quiver-score");
          await new Promise((resolve) => { opening.onsuccess = resolve; });
          const request = opening.result.transaction("shown").objectStore("shown").get("devices");
          await new Promise((resolve) => { request.onsuccess = resolve; });
          opening.result.close();
          return request.result.find((one) => one.event).device;
        }""")
        [lease] = [one for one in self.event.call("Events/ListTargetLeases", tournamentId=self.event.id)["leases"]
                   if one["target"] == phone.target and one.get("card", 1) == phone.card]  # fmt: skip
        self.assertEqual(lease["device"], name)
        return str(lease["principalId"])

    # What the server has

    def recount(self) -> None:
        """Compares cards, standings and operations with what was called, from the calls alone."""
        self.expect_stored_once(self.event, self.called)
        wanted = {archer: {end: sorted(values) for end, values in enumerate(ends)} for archer, ends in self.called.items()}
        for archer in self.event.archers:
            if self.event.target_of[archer] not in SECONDS_AT:
                continue
            second = {**wanted[archer], **{end: sorted(values) for (one, end), values in self.ruled.items() if one == archer}}
            self.assertEqual({end: sorted(values) for end, values in self.event.second(archer).items()}, second)
        self.assertEqual(self.event.call("Events/ListCardDisputes", tournamentId=self.event.id).get("disputes", []), [])
        totals = {archer: sum(points(text) for end in ends for text in end) for archer, ends in self.called.items()}
        rows = self.event.call("Events/GetCategoryStandings", tournamentId=self.event.id, pageSize=500)["rows"]
        found = {row["entry"]["participantId"]: row["row"].get("total", 0) for row in rows}
        self.assertEqual(found, totals)
        self.assertEqual([found[row["entry"]["participantId"]] for row in rows], sorted(totals.values(), reverse=True))
        for phone in self.phones:
            shown = phone.page.evaluate("""() => Object.fromEntries([...document.querySelectorAll(".row")].map((row) =>
              [row.dataset.archer, Number(row.querySelector(".total strong").textContent)]))""")
            for archer, total in shown.items():
                overruled = 0 if phone.card == 1 else sum(
                    sum(map(points, values)) - sum(map(points, self.called[one][end]))
                    for (one, end), values in self.ruled.items() if one == archer)  # fmt: skip
                self.assertEqual(total, totals[archer] + overruled, f"{phone} shows another total")
        operations = self.recount_operations()
        arrows = len(self.event.archers) * 3 * ENDS
        print(f"{len(self.event.archers)} archers, {len(self.phones) + len(self.replaced)} phones, {arrows} arrows a card, "
              f"{operations} operations, {sum(self.counts.values())} faults, {time.monotonic() - self.began:.0f} s: 0 differences",
              file=sys.stderr)  # fmt: skip
        for what, count in sorted(self.counts.items()):
            print(f"  {count} {what}", file=sys.stderr)

    def recount_operations(self) -> int:
        """Each operation that a phone has made is on the server once, and the server has no other."""
        made: Counter[tuple[str, str]] = Counter()
        for phone in self.phones + self.replaced:
            if phone in self.replaced:
                phone.page = phone.tab()
                self.assertTrue(wait_until(lambda page=phone.page: all(  # type: ignore[misc]
                    state != "waiting" for _, _, state, _ in page.evaluate(OPERATIONS)), 120), str(phone))  # fmt: skip
            for name, kind, state, message in phone.page.evaluate(OPERATIONS):
                made[name, kind] += 1
                # Nobody asks who has gone about an end on which a judge has ruled meanwhile.
                if phone in self.replaced and self.ruled and "a judge has ruled on this end" in message:
                    continue
                self.assertIn(state, ("stored", "late") if phone in self.replaced else ("stored",), (phone, kind, message))
        self.assertEqual([name for name, count in made.items() if count > 1], [])
        stored = self.stored()
        self.assertEqual([name for name, count in stored.items() if count > 1], [])
        of_replaced = {name for phone in self.replaced for name, *_ in phone.page.evaluate(OPERATIONS)}
        self.assertEqual({name for name in made if name[0] not in of_replaced} - set(stored), set())
        self.assertEqual(set(stored) - set(made), set())
        return sum(stored.values())

    def stored(self) -> Counter[tuple[str, str]]:
        [path] = [one for one in pathlib.Path(self.running.folder, "data").glob("*.db") if "quiver" in one.name]
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        found: Counter[tuple[str, str]] = Counter()
        participants = ",".join(self.event.archers)
        for kind, table in (("arrow", "scoring_operation"), ("end", "card_operation")):
            for (name,) in database.execute(f"SELECT client_id FROM {table} WHERE participant_id IN ({participants})"):
                found[base64.b64encode(name).decode(), kind] += 1
        database.close()
        return found


if __name__ == "__main__":
    kit.main()
