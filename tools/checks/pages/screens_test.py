"""Each screen of the score page: axe finds nothing, and it is no wider than a phone of 320 px.

QUIVER_SCREENS=FOLDER stores pictures of all screens there, at 320 and 390 px, in light and dark, and one of each screen with all of these."""

from __future__ import annotations

import kit
from phones import Event, PageTest, Phone, codes_in

NAMES = ["Anna Archer", "Benedikt Bogenschütz-Hohenfels", "كريم عبد الله", "Dora"]
# Each width in one scheme; all four where they are stored.
FORMS = [(320, 568, "light"), (320, 568, "dark"), (390, 844, "light"), (390, 844, "dark")] if kit.FOLDER else [
    (320, 568, "dark"), (390, 844, "light")]  # fmt: skip
LANGUAGES = {"en-GB": "Start entering", "de-DE": "Eingabe beginnen", "fr-FR": "Commencer la saisie", "it-IT": "Inizia a inserire"}


class ScreensTest(PageTest):
    def check(self, phone: Phone, name: str, form: str) -> None:
        self.assertEqual(kit.look(phone.page, name, form), "")

    def small(self, form: tuple[int, int, str], code: str = "", script: str = "") -> Phone:
        width, height, scheme = form
        return self.phone(code, script, viewport={"width": width, "height": height}, color_scheme=scheme)

    def test_axe_finds_nothing_on_screens_of_messages_faults_and_matches(self) -> None:
        for shape in FORMS:
            form = f"{shape[0]}-{shape[2]}"
            refused = self.small(shape, "x", "Object.defineProperty(window, 'indexedDB', { value: undefined });")
            refused.expect_text("This browser stores nothing")
            self.check(refused, "storage-refused", form)
            refused.page.close()
            event = Event(self.running, NAMES, arrows=6)
            code = event.codes()[7]
            phone = self.small(shape, code)
            phone.start()
            phone.enter("X", "9")
            event.call("Events/SendEventNotice", tournamentId=event.id, text="Lunch at half past twelve, in the hall")
            phone.expect_text("Lunch at half past twelve")
            phone.press("What happened?")
            phone.press("Call judge")
            phone.expect_text("Call judge")
            self.check(phone, "notice-and-call", form)
            event.call("Events/PauseShooting", tournamentId=event.id, reason="An arrow hangs in the net")
            phone.expect_text("An arrow hangs in the net")
            self.check(phone, "shooting-paused", form)
            event.call("Events/ResumeShooting", tournamentId=event.id)
            phone.enter("8")
            phone.press("What happened?")
            phone.page.get_by_role("button", name="Too many arrows").click()
            phone.page.locator("main").get_by_role("button", name="B Benedikt").click()
            phone.enter("10", "9", "8", "7")
            self.check(phone, "too-many", form)
            # Below two messages the arrows that were entered stand above the buttons, which do not cover them.
            arrows, foot = (phone.page.locator(name).bounding_box() for name in (".trials", ".foot"))
            assert arrows and foot
            self.assertLessEqual(arrows["y"] + arrows["height"], foot["y"], form)
            phone.page.get_by_role("button", name="Keep").click()
            phone.enter("7", "7", "7", "6", "6", "6")
            other = self.small(shape, code)
            other.press("Keep the second card")
            other.start()
            other.enter("X", "9", "8", "9", "8", "6", "7", "7", "7", "6", "6", "6")
            phone.agree()
            phone.page.locator(".row").nth(1).locator(".total").click()
            phone.expect_text("The cards differ")
            self.check(phone, "cards-differ", form)
            other.page.close()
            event.call("Events/SetEventLeases", tournamentId=event.id, demanded=True, newCodes=True)
            phone.page.close()
            self.match(shape, form)

    def match(self, shape: tuple[int, int, str], form: str) -> None:
        event = Event(self.running, NAMES[:2], per_target=2, arrows=3)
        event.call("Events/SetEventLeases", tournamentId=event.id, demanded=False)
        for archer, value in zip(event.archers, (9, 8), strict=True):
            event.call("Tournament/RecordEnd", operations=[
                {"participantId": archer, "arrowIndex": place, "value": value} for place in range(3)])  # fmt: skip
        [category] = event.call("Events/ListEventCategories", tournamentId=event.id)["categories"]
        bracket = event.call("Elimination/CutCategory", tournamentId=event.id, categoryId=category["id"], size=2,
                             system="MATCH_SYSTEM_INDIVIDUAL_SETS")  # fmt: skip
        event.call("Elimination/PlaceMatches", stageId=bracket["stage"]["id"], roundSize=2, firstTarget=7, targetsPerMatch=1)
        phone = self.small(shape, event.plates()[7])
        phone.expect_text("Anna")
        if phone.page.get_by_text("What is shot now?").count() > 0:
            self.check(phone, "what-is-shot", form)
            phone.page.get_by_role("button", name="–").click()
        phone.start()
        for number in range(5):
            phone.enter("9", "9", "9", "10", "9")
            if number == 1:
                self.check(phone, "match", form)
            phone.enter("8")
            phone.agree()
        phone.expect_text("Shoot-off 1")
        phone.enter("9", "9")
        phone.agree()
        phone.page.get_by_role("textbox").first.wait_for()
        self.check(phone, "shoot-off", form)
        fields = phone.page.get_by_role("textbox")
        fields.nth(0).fill("12.5")
        fields.nth(1).fill("4,5")
        phone.press("Store")
        phone.expect_text("wins")
        phone.expect_saved()
        self.check(phone, "match-won", form)
        phone.page.close()

    def test_axe_finds_nothing_on_any_screen(self) -> None:
        for width, height, scheme in FORMS:
            form = f"{width}-{scheme}"
            event = Event(self.running, NAMES, arrows=6)
            phone = self.phone("", viewport={"width": width, "height": height}, color_scheme=scheme)
            phone.expect_text("Scan the code")
            self.check(phone, "start", form)
            code = event.codes()[7]
            phone.page.goto(f"{phone.address}/score#nonsense")
            phone.expect_text("not valid")
            self.check(phone, "wrong-code", form)
            phone.page.goto(f"{phone.address}/score#{code}")
            phone.expect_text("Dora")
            self.check(phone, "who", form)
            phone.press("Sighters")
            phone.enter("X", "9", "M")
            self.check(phone, "sighters", form)
            phone.press("Back")
            phone.start()
            phone.enter("X", "9", "8", "10", "10")
            self.check(phone, "entry", form)
            phone.press("What happened?")
            self.check(phone, "happens", form)
            phone.press("Repair")
            phone.page.get_by_role("button", name="A Anna").click()
            phone.page.get_by_role("button", name="1: X").click()
            self.check(phone, "repair", form)
            for _ in range(2):
                phone.press("Back")
            phone.expect_saved()
            phone.context.set_offline(True)
            phone.enter("7")
            phone.expect_text("No connection since")
            self.check(phone, "offline", form)
            phone.press("Show as a code")
            phone.expect_text("Hand over what waits")
            self.check(phone, "codes", form)
            [address] = codes_in(phone.page.screenshot())
            judge = self.small((width, height, scheme), address.partition("#")[2])
            judge.expect_text("Stored now: 1")
            self.check(judge, "delivered", form)
            judge.page.goto(address[:-1])
            judge.expect_text("This code did not arrive as a whole")
            self.check(judge, "not-delivered", form)
            judge.page.close()
            phone.press("Back")
            phone.context.set_offline(False)
            phone.expect_saved()
            phone.enter("9", "8", "7", "6", "5", "M")
            self.check(phone, "agree", form)
            phone.agree()
            phone.page.locator(".total").first.click()
            phone.expect_text("Card of")
            self.check(phone, "card", form)
            phone.page.locator('[data-end="0"] button').click()
            phone.page.locator(".choice button").first.click()
            self.check(phone, "correct", form)
            phone.press("Back")
            phone.press("Back")
            phone.press("Menu")
            self.check(phone, "menu", form)
            phone.press("Rule cards")
            self.check(phone, "rules", form)
            phone.press("Back")
            phone.press("Back")
            phone.enter(*["10", "9", "8"] * 4)
            phone.agree()
            phone.expect_text("Compare with the card on paper")
            self.check(phone, "compare", form)
            event.let_scorers_type_papers()
            phone.page.get_by_role("button", name="A Type the paper").click()
            phone.expect_text("Type what the paper has")
            self.check(phone, "paper", form)
            for _ in range(2):
                phone.press("Back")
            phone.press("The same on paper")
            phone.expect_text("All arrows are entered")
            self.check(phone, "done", form)
            phone.page.get_by_role("button", name="Card of").last.click()
            phone.press("Sign")
            self.check(phone, "sign", form)
            other = self.phone(code, viewport={"width": width, "height": height}, color_scheme=scheme)
            other.expect_text("Another phone has this card.")
            self.check(other, "taken", form)
            first = Event(self.running, NAMES[:2], per_target=1, arrows=9)
            alone = self.small((width, height, scheme), first.codes()[7])
            alone.start()
            for _ in range(2):
                alone.enter("9", "8", "7")
                alone.agree()
            alone.expect_text("2 ends ahead of most targets")
            self.check(alone, "ahead", form)
        print("the screens were checked with axe in light and dark")

    def test_the_page_speaks_four_languages(self) -> None:
        event = Event(self.running, ["Anna Archer"], per_target=1)
        for locale, start in LANGUAGES.items():
            phone = self.phone(event.codes()[7] if locale == "en-GB" else "", locale=locale)
            self.assertEqual(phone.page.locator("html").get_attribute("lang"), locale[:2])
            if locale == "en-GB":
                phone.start()
            else:
                self.assertNotIn("Scan the code", phone.page.locator("#page").inner_text())
            phone.press({"en-GB": "Menu", "de-DE": "Menü", "fr-FR": "Menu", "it-IT": "Menu"}[locale])
            phone.page.get_by_role("combobox").select_option("fr")
            phone.expect_text("Cibles sur ce téléphone" if locale == "en-GB" else "Langue")
            self.assertEqual(phone.page.locator("html").get_attribute("lang"), "fr")
            if locale == "en-GB":
                # That the person has begun is stored, too.
                phone.expect_on_disk()
            phone.page.reload()
            phone.expect_text("Volée" if locale == "en-GB" else "Scannez")


if __name__ == "__main__":
    kit.main()
