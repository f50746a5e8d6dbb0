"""What waits on a phone without a connection is read from its screen by another phone, and delivered once.

The codes are read with zbarimg from pictures of the screen, as a camera would."""

from __future__ import annotations

import io
import re

from PIL import Image
from playwright.sync_api import BrowserContext, expect

import kit
from phones import MILLISECONDS, Event, PageTest, Phone, Running, bring_module, codes_in

NAMES = ["Anna Archer", "Benedikt", "Chiara", "Dora"]
# The longest text of each version of a code.
LONGEST = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858]
WORDS = {"en-GB": ("Stored now: 3", "Delivered before: 3", "This code did not arrive as a whole", "No phone of this server"),
         "de-DE": ("Jetzt gespeichert: 3", "Schon früher abgeliefert: 3", "Dieser Code ist nicht vollständig", "Kein Telefon"),
         "fr-FR": ("Enregistré maintenant : 3", "Déjà transmis : 3", "Ce code n’est pas complet", "Aucun téléphone"),
         "it-IT": ("Salvati ora: 3", "Già consegnati: 3", "Questo codice non è completo", "Nessun telefono")}  # fmt: skip


class RescueTest(PageTest):
    def scoring(self, event: Event, *values: str, width: int = 320) -> Phone:
        """A phone that has lost its connection and then entered values."""
        phone = self.phone(event.codes()[7], viewport={"width": width, "height": 568}, device_scale_factor=2)
        phone.start()
        phone.expect_saved()
        phone.context.set_offline(True)
        ends = [values[start : start + 12] for start in range(0, len(values), 12)]
        for end in ends:
            phone.enter(*end)
            if len(end) == 12:
                phone.agree()
        phone.expect_text(f"Waiting: {len(values)}")
        phone.expect_on_disk()
        return phone

    def codes(self, phone: Phone) -> list[str]:
        """The addresses of all codes that a phone shows, one after the other."""
        phone.press("Show as a code")
        phone.expect_text("Hand over what waits")
        found: list[str] = []
        while True:
            code = phone.page.locator("svg.code")
            name = code.get_attribute("aria-label") or ""
            self.assertTrue(name.startswith(f"Code {len(found) + 1} of "), name)
            # As a camera sees the screen, which has to have all of it.
            found += codes_in(phone.page.screenshot())
            if name.endswith(f" of {len(found)}"):
                return found
            phone.press("Next code")
            expect(code).not_to_have_attribute("aria-label", name, timeout=MILLISECONDS)

    def opened(self, address: str, context: BrowserContext) -> Phone:
        """A phone whose camera has read a code."""
        host, _, code = address.partition("/score#")
        phone = Phone(context, host, code)
        self.addCleanup(lambda: self.assertEqual(phone.faults, []))
        return phone

    def test_arrows_of_a_phone_without_a_connection_are_delivered_by_another_one_and_stored_once(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.scoring(event, "X", "9", "8", "7", "6", "M")
        [address] = self.codes(phone)
        self.assertTrue(address.startswith(f"{self.address()}/score#qr_"), address)
        other = self.opened(address, self.context())
        other.expect_text("Stored now: 6")
        # History keeps fragments: the code is gone from it.
        self.assertEqual(other.page.evaluate("location.href"), f"{self.address()}/score")
        wanted = {event.archers[0]: [["X", "9", "8"]], event.archers[1]: [["7", "6", "M"]]}
        self.expect_stored_once(event, wanted)
        before = [event.operations(archer) for archer in event.archers]
        self.opened(address, self.context()).expect_text("Delivered before: 6")
        # The phone sends the same, and is told that the server has it.
        phone.context.set_offline(False)
        phone.expect_saved()
        phone.expect_text("Nothing waits here any more.")
        phone.press("Back")
        self.assertEqual([event.operations(archer) for archer in event.archers], before)
        phone.enter("5")
        phone.expect_saved()
        self.expect_stored_once(event, {**wanted, event.archers[2]: [["5"]]})
        [device] = event.devices()
        self.assertEqual(device["leaseCount"], 1)

    def test_more_than_a_code_has_is_read_as_several_in_any_order_and_what_is_missing_is_told(self) -> None:
        event = Event(self.running, NAMES, arrows=12)
        values = ["10", "9", "8"] * 8 + ["7", "6", "5"] * 4
        phone = self.scoring(event, *values)
        addresses = self.codes(phone)
        count = len(addresses)
        self.assertGreater(count, 1)
        self.assertEqual(len(set(addresses)), count)
        carrier = self.context()
        for number in range(count, 0, -1):
            other = self.opened(addresses[number - 1], carrier)
            other.expect_text("Stored now: ")
            if number > 1:
                other.expect_text("Still to be read: code " + ", ".join(map(str, range(1, number))))
            else:
                other.expect_text(f"All {count} codes are delivered.")
            other.page.close()
        wanted = dict.fromkeys(event.archers, [["10", "9", "8"], ["10", "9", "8"], ["7", "6", "5"]])
        self.expect_stored_once(event, wanted)
        phone.context.set_offline(False)
        phone.expect_saved()
        self.expect_stored_once(event, wanted)

    def test_what_was_shown_as_a_code_is_taken_back_by_an_operation_and_not_forgotten(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.scoring(event, "9", "8")
        [address] = self.codes(phone)
        phone.press("Back")
        phone.press("Undo")
        expect(phone.page.locator(".row").first.locator(".arrow:not(.empty)")).to_have_text(["9"], timeout=MILLISECONDS)
        phone.enter("7")
        phone.expect_on_disk()
        self.opened(address, self.context()).expect_text("Stored now: 2")
        self.assertEqual(event.card(event.archers[0]), {(0, 0): "9", (0, 1): "8"})
        # What followed is a code of its own, with what came before: read at once.
        [later] = self.codes(phone)
        other = self.opened(later, self.context())
        other.expect_text("Delivered before: 2")
        other.expect_text("Stored now: 2")
        self.assertEqual(event.card(event.archers[0]), {(0, 0): "9", (0, 1): "7"})
        phone.context.set_offline(False)
        phone.expect_saved()
        self.assertEqual(event.card(event.archers[0]), {(0, 0): "9", (0, 1): "7"})

    def test_ends_of_a_second_card_are_delivered_too(self) -> None:
        event = Event(self.running, NAMES[:2], per_target=2)
        first = self.phone(event.codes()[7])
        first.start()
        phone = self.phone(event.codes()[7], device_scale_factor=2)
        phone.press("Keep the second card")
        phone.start()
        phone.expect_saved()
        phone.context.set_offline(True)
        phone.enter("X", "9", "8")
        phone.expect_text("Waiting: 1")
        phone.expect_on_disk()
        [address] = self.codes(phone)
        self.opened(address, self.context()).expect_text("Stored now: 1")
        self.assertEqual(event.second(event.archers[0]), {0: ["X", "9", "8"]})

    def test_codes_that_are_incomplete_forged_or_of_another_server_are_told_in_four_languages_and_change_nothing(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.scoring(event, "9", "8", "7")
        [address] = self.codes(phone)
        start, _, rest = address.partition("#")
        text, suffix = rest.split(".", 1)
        middle = len(text) // 2
        forged = f"{text[:middle]}{'A' if text[middle] != 'A' else 'B'}{text[middle + 1:]}"
        bad = [(f"{start}#{rest[:-8]}", 2), (f"{start}#qr_", 2), (f"{start}#{text[:-30]}.{suffix}", 3), (f"{start}#{forged}.{suffix}", 3)]
        for locale, words in WORDS.items():
            context = self.context(locale=locale)
            for wrong, sentence in bad if locale == "en-GB" else bad[::3]:
                other = self.opened(wrong, context)
                # Bytes that are no message any more are no whole code.
                expect(other.page.locator("#page .alert")).to_have_text(
                    re.compile("|".join(words[2:] if sentence == 3 else words[2:3])), timeout=MILLISECONDS)  # fmt: skip
                other.page.close()
        self.assertEqual(event.card(event.archers[0]), {})
        for index, (locale, words) in enumerate(WORDS.items()):
            other = self.opened(address, self.context(locale=locale))
            other.expect_text(words[0] if index == 0 else words[1])
            self.assertEqual(other.page.locator("html").get_attribute("lang"), locale[:2])
        self.assertEqual(event.card(event.archers[0]), {(0, 0): "9", (0, 1): "8", (0, 2): "7"})
        elsewhere = Running("--allow-host", phone.address.split("//")[1].split(":")[0])
        self.addCleanup(elsewhere.end)
        foreign = self.opened(address.replace(str(self.running.port), str(elsewhere.port)), self.context())
        foreign.expect_text("No phone of this server has made this code")

    def test_what_a_former_phone_shows_is_with_the_organiser_where_others_are(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.scoring(event, "9", "8")
        [address] = self.codes(phone)
        [device] = event.devices()
        event.call("Events/EndDevice", tournamentId=event.id, principalId=device["principalId"])
        successor = self.phone(event.codes()[7])
        successor.start()
        successor.enter("5")
        successor.expect_saved()
        other = self.opened(address, self.context())
        other.expect_text("With the organiser, who decides: 1")
        other.expect_text("Stored now: 1")

    def test_a_phone_that_has_no_connection_either_keeps_the_code_and_delivers_it_later(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.scoring(event, "9", "8")
        [address] = self.codes(phone)
        context = self.context()
        context.route("**/quiver.v1.Events/DeliverOperations", lambda route: route.abort())
        other = self.opened(address, context)
        other.expect_text("This phone has no connection either.")
        other.page.close()
        self.assertEqual(event.card(event.archers[0]), {})
        context.unroute("**/quiver.v1.Events/DeliverOperations")
        other = Phone(context, phone.address)
        other.expect_text("Stored now: 2")
        other.press("Back")
        other.expect_text("Scan the code of your target")
        other.page.reload()
        other.expect_text("Scan the code of your target")
        self.assertEqual(other.page.get_by_text("Arrows of another phone").count(), 0)
        self.assertEqual(event.card(event.archers[0]), {(0, 0): "9", (0, 1): "8"})

    def test_a_browser_that_stores_nothing_delivers_nevertheless(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.scoring(event, "9", "8")
        [address] = self.codes(phone)
        context = self.context("Object.defineProperty(window, 'indexedDB', { value: undefined });")
        self.opened(address, context).expect_text("Stored now: 2")

    def test_each_version_of_a_code_is_read_with_the_longest_text_that_it_has(self) -> None:
        page = self.phone().page
        bring_module(page, "board/assets/qr.js")
        pictures = []
        texts = []
        for version, longest in enumerate(LONGEST, 1):
            # The first text that the version before has not, and the last one.
            for length in ((LONGEST[version - 2] + 1 if version > 1 else 1), longest):
                text = "".join(chr(ord("!") + (version * 7 + index * 11) % 90) for index in range(length))
                rows = page.evaluate("""async (text) => (await import("/board/assets/qr.js")).modules(text)
                  .map((row) => row.map((dark) => dark ? "1" : "0").join(""))""", text)  # fmt: skip
                self.assertEqual(len(rows), 17 + 4 * version)
                size = len(rows) + 8
                image = Image.new("1", (size, size), 1)
                for y, row in enumerate(rows):
                    for x, dark in enumerate(row):
                        image.putpixel((x + 4, y + 4), dark == "0")
                file = io.BytesIO()
                image.resize((4 * size, 4 * size)).convert("L").save(file, "PNG")
                pictures.append(file.getvalue())
                texts.append(text)
        self.assertEqual(codes_in(*pictures), texts)
        self.assertIsNone(page.evaluate("""async () => (await import("/board/assets/qr.js")).modules("x".repeat(859))"""))


if __name__ == "__main__":
    kit.main()
