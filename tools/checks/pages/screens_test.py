"""Each screen of the score page: axe finds nothing, and it is no wider than a phone of 320 px.

QUIVER_SCREENS=FOLDER stores pictures of all screens there."""

from __future__ import annotations

import os
import pathlib
import unittest

from axe_playwright_python.sync_playwright import Axe

from phones import Event, PageTest, Phone

FOLDER = os.environ.get("QUIVER_SCREENS", "")
LANGUAGES = {"en-GB": "Start entering", "de-DE": "Eingabe beginnen", "fr-FR": "Commencer la saisie", "it-IT": "Inizia a inserire"}


class ScreensTest(PageTest):
    def check(self, phone: Phone, name: str, form: str) -> None:
        found = self.axe.run(phone.page, options={"resultTypes": ["violations"]}).response["violations"]
        self.assertEqual([(one["id"], [node["html"] for node in one["nodes"]]) for one in found], [], f"{name} {form}")
        width = phone.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(width[0], width[1], f"{name} {form} is wider than the screen")
        if FOLDER:
            phone.page.screenshot(path=pathlib.Path(FOLDER) / f"{name}-{form}.png")

    def test_axe_finds_nothing_on_any_screen(self) -> None:
        self.axe = Axe()
        for width, height, scheme in [(320, 568, "dark"), (390, 844, "light")]:
            form = f"{width}-{scheme}"
            event = Event(self.running, ["Anna Archer", "Benedikt Bogenschütz-Hohenfels", "كريم عبد الله", "Dora"], arrows=6)
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
            phone.context.set_offline(True)
            phone.enter("7")
            phone.expect_text("No connection since")
            self.check(phone, "offline", form)
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
            phone.press("The same on paper")
            phone.expect_text("All arrows are entered")
            self.check(phone, "done", form)
            phone.page.get_by_role("button", name="Card of").last.click()
            phone.press("Sign")
            self.check(phone, "sign", form)
            other = self.phone(code, viewport={"width": width, "height": height}, color_scheme=scheme)
            other.expect_text("Another phone has this card.")
            self.check(other, "taken", form)
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
            phone.page.reload()
            phone.expect_text("Volée" if locale == "en-GB" else "Scannez")


if __name__ == "__main__":
    unittest.main()
