"""The archer's page in Chromium: the rules that its screens show, what a coach reads, and who can use it."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from typing import Any

import kit
from archers import Archer, MePages, today
from playwright.sync_api import expect


class MeTest(MePages):
    def test_the_screens_show_what_the_rules_say(self) -> None:
        archer = Archer(self.running, "Robin")
        self.fill(archer)
        page = self.signed_in(archer)

        def texts(selector: str) -> list[str]:
            return [text.strip() for text in page.locator(selector).all_inner_texts()]

        def labels(selector: str) -> list[str]:
            return page.eval_on_selector_all(selector, "all => all.map((one) => one.firstChild.textContent)")

        def chosen(a: str, b: str, span: str = "") -> None:
            for place, label in enumerate((a, b)):
                if label:
                    page.locator("main select").nth(place).select_option(label=label)
            if span:
                page.locator("main select").nth(2).select_option(label=span)

        def options(place: int) -> list[str]:
            return page.locator("main select").nth(place).locator("option").all_inner_texts()

        def reading(place: int) -> str:
            page.locator(".drag").evaluate(f"(one) => {{ one.value = {place}; one.dispatchEvent(new Event('input')); }}")
            return page.locator(".reading").inner_text()

        def months() -> list[str]:
            return [datetime.date.fromordinal(719_163 + self.first + offset).strftime("%B %Y") for offset in (70, 14, 7, 0)]

        def day(number: int) -> str:
            return page.evaluate("(day) => new Intl.DateTimeFormat('en', {dateStyle: 'medium', timeZone: 'UTC'}).format(day * 86400000)", number)

        # The view, the rule, what the page shows, and what it must show.
        rows: list[tuple[str, str, Callable[[], Any], Any]] = [
            ("equipment", "three groups, in this order, with their counts", lambda: texts("main h2"),
             ["Bow components (2)", "String & stabilization (2)", "Arrows & accessories (1)"]),
            ("equipment", "ten types, in this order, with plural labels", lambda: labels(".hub a"),
             ["Risers", "Limbs", "Sights", "Rests", "Plungers", "Strings", "Stabilizers", "Weights", "Arrows", "Accessories"]),
            ("equipment", "counts leave the archive out", lambda: texts(".hub a strong")[:3], ["1", "0", "1"]),
            ("equipment", "the total, and the archive by itself", lambda: texts("main > p")[0], "5 items, 1 in the archive."),
            ("equipment/RISER", "brand and model", lambda: [row[0] for row in self.rows(page)], ["Hoyt Formula XD"]),
            ("equipment/RISER", "archived items stand apart", lambda: texts("main summary"), ["Archive (1)"]),
            ("equipment/BOW_STRING", "a string shows maker and type", lambda: [row[0] for row in self.rows(page)], ["Angel Majesty"]),
            ("equipment/WEIGHT", "a weight shows location and name", lambda: [row[0] for row in self.rows(page)], ["side rod disc"]),
            ("equipment/ACCESSORY", "an accessory shows name and type", lambda: [row[0].lower() for row in self.rows(page)], ["cartel tab"]),
            (f"equipment/SIGHT/{self.items['Sight']}", "sight marks by distance, yards as metres", lambda: [row[0] for row in self.rows(page)],
             ["18 m", "60 yd", "70 m"]),
            (f"setups/{self.indoor}", "the latest version first", lambda: options(0), ["2", "1"]),
            (f"setups/{self.indoor}/1", "an old version keeps its parts", lambda: (texts("main select option:checked"), texts("main .empty")[:1]), (["1"], ["Nothing here yet."])),
            ("compare", "active setups only, by name whatever the case", lambda: options(0), ["choose…", "Arena", "indoor", "Zebra"]),
            ("compare", "thirty days unless another range was chosen", lambda: texts("main select >> nth=2 >> option:checked"), ["30 days"]),
            ("compare", "without both nothing is compared", lambda: (chosen("Arena", ""), texts("#result"))[1], [""]),
            ("compare", "the list of B leaves A out", lambda: (chosen("Arena", ""), options(1))[1], ["choose…", "indoor", "Zebra"]),
            ("compare", "A that is chosen as B clears B",
             lambda: (chosen("Arena", "indoor"), chosen("indoor", ""), texts("main select >> nth=1 >> option:checked"), texts("#result"))[2:], (["choose…"], [""])),
            ("compare", "the difference is B minus A, with a sign, two decimals, a word and a colour",
             lambda: (chosen("Arena", "indoor"), page.wait_for_selector("#result table"), self.rows(page)[0], page.locator("#result .better-b").count() > 0)[2:],
             (["Average", "+1.00", "B is better"], True)),
            ("compare", "the same the other way round",
             lambda: (chosen("indoor", "Arena"), page.wait_for_selector("#result .better-a"), self.rows(page)[0])[2], ["Average", "-1.00", "A is better"]),
            ("compare", "a difference is written as the language writes numbers",
             lambda: (chosen("Arena", "indoor"), self.speak(page, "de"), page.wait_for_selector("#result table"), self.rows(page)[0][1], self.speak(page, "en"))[3], "+1,00"),
            ("compare", "the count of arrows has a sign and no winner",
             lambda: (chosen("indoor", "Arena"), page.wait_for_selector("#result table"), self.rows(page)[3][2])[2], ""),
            ("compare", "a side without arrows has no values and no difference",
             lambda: (chosen("Arena", "Zebra"), page.wait_for_selector("#result .empty"), texts("#result .empty"), texts("#result > p"))[2:],
             (["No arrows in this range."], ["There is no difference to show: one side has no arrows."])),
            ("compare", "too little data is told in words",
             lambda: (chosen("Arena", "indoor"), page.wait_for_selector("#result [lang=en]"), "5 rounds" in " ".join(texts("#result [lang=en]")))[2], True),
            ("compare", "another range compares again",
             lambda: (chosen("Arena", "indoor"), page.wait_for_selector("#result table"), chosen("", "", "7 days"), page.wait_for_selector("#result table") and True)[3], True),
            ("weight", "months, newest first", lambda: texts("#months h3"), list(dict.fromkeys(months()))),
            ("weight", "rows, newest first, with weight, average, rate and note",
             lambda: [row[1] for place in range(page.locator("#months table").count()) for row in self.rows(page, place)], ["169.0 lb", "171.0 lb", "170.1 lb", "170.0 lb"]),
            ("weight", "a rate has a sign and a direction; below a tenth it is stable, without an older entry too",
             lambda: [row[3].split(" in ")[0] for place in range(page.locator("#months table").count()) for row in self.rows(page, place)],
             ["▼ -2.0", "▲ +1.0", "■ +0.1", "stable"]),
            ("weight", "the chart reads its latest point unless another is chosen", lambda: page.locator(".reading").inner_text().startswith(day(self.first + 70)), True),
            ("weight", "the chart has lines at its lowest and highest value and between them",
             lambda: (page.locator(".chart .axis").count(), page.eval_on_selector_all(".chart text", "all => all.map((one) => one.textContent)")[:3]), (3, ["169.0", "170.0", "171.0"])),
            ("weight", "rows with a note",
             lambda: (page.get_by_label("with a note").check(), expect(page.locator("#months tbody tr")).to_have_count(1), self.rows(page)[0][4])[2], "after dinner"),
            ("weight", "weekdays begin on Sunday", lambda: texts("fieldset .row label")[0], "Sun"),
            ("weight", "a filter that nothing matches is told apart from no entries",
             lambda: ([page.locator("fieldset .row input").nth(place).check() for place in [(self.first + 5) % 7]], page.wait_for_selector("#months .empty"), texts("#months"))[2],
             ["No entry matches the filter."]),
            ("strength", "exercises by name, with sets, record and latest", lambda: [row[:2] for row in self.rows(page)], [["Bench", "1"], ["Plank", "1"], ["Squat", "40"]]),
            ("strength", "a set of 37 and more repetitions has no one-rep max", lambda: self.rows(page)[1][2:], ["–", "–"]),
            ("strength/Squat", "a wide screen shows 93 points, a narrow one 31", lambda: page.locator("main select").input_value(), "93"),
            ("strength/Squat", "the latest point is read", lambda: page.locator(".reading").inner_text().startswith(day(today() - 1)), True),
            ("strength/Squat", "another point is read by dragging", lambda: reading(0).startswith(day(today() - 40)), True),
            ("strength/Bench", "more than 12 repetitions are marked", lambda: "more than 12 repetitions" in page.locator(".reading").inner_text(), True),
            ("log", "days, newest first",
             lambda: (lambda days: days == sorted(days, key=lambda text: datetime.datetime.strptime(text, "%B %d, %Y"), reverse=True))([row[0] for row in self.rows(page)]), True),
            ("log", "a day has its rounds, exercises and weight", lambda: any("18m" in row[1].replace(" ", "") or "6 arrows" in row[1] for row in self.rows(page)), True),
        ]  # fmt: skip
        for view, rule, shown, expected in rows:
            with self.subTest(f"{view}: {rule}"):
                self.turn(page, view)
                self.assertEqual(shown(), expected)

    def test_a_failed_comparison_is_told_and_clears(self) -> None:
        archer = Archer(self.running, "Robin")
        archer.setup("A"), archer.setup("B")
        page = self.signed_in(archer)
        self.turn(page, "compare")
        page.route("**/quiver.v1.Comparison/Compare", lambda route: route.fulfill(
            status=400, content_type="application/json", body='{"code": "invalid_argument", "message": "no"}'))  # fmt: skip
        page.locator("main select").nth(0).select_option(label="A")
        page.locator("main select").nth(1).select_option(label="B")
        expect(page.locator("#result .bad")).to_have_text("Failed to compare setups: no")
        page.unroute("**/quiver.v1.Comparison/Compare")
        page.locator("main select").nth(2).select_option(label="90 days")
        expect(page.locator("#result .bad")).to_have_count(0)

    def test_a_coach_reads_what_is_shared_until_it_ends(self) -> None:
        archer, coach = Archer(self.running, "Robin"), Archer(self.running, "Coach")
        self.fill(archer)
        mine, theirs = self.signed_in(archer), self.signed_in(coach)
        self.turn(theirs, "sharing")
        theirs.get_by_role("button", name="Show my code…").click()
        code = theirs.locator("dialog .show").inner_text()
        theirs.locator("dialog button.main").click()

        # Nothing is chosen before somebody chooses it.
        self.turn(mine, "sharing")
        mine.get_by_role("button", name="Share with somebody…").click()
        self.assertEqual(mine.locator("dialog input[type=checkbox]:checked").count(), 0)
        mine.get_by_label("Code").fill(code)
        mine.locator("dialog button.main").click()
        expect(mine.locator("dialog [role=alert]")).to_have_text("Choose at least one part.")
        for part in ("Equipment", "Rounds", "Training log"):
            mine.get_by_label(part).check()
        mine.locator("dialog button.main").click()
        expect(mine.locator("#state")).to_have_text("Coach may read it now.")
        self.assertEqual(self.rows(mine)[0][:2], ["Coach", "Equipment, Rounds, Training log"])

        self.turn(theirs, "squad")
        row = self.rows(theirs)[0]
        self.assertEqual(row[0], "Robin")
        # Weeks begin on Monday, 1970-01-01 was a Thursday: on a Monday the rounds of yesterday are of the week before.
        monday = today() - (today() + 3) % 7
        shot = [(time.time() - hours * 3600) // 86_400 for hours in (20, 21, 30, 31)]
        self.assertEqual(row[2], str(6 * sum(day >= monday for day in shot)), row)
        theirs.get_by_role("button", name="Open: Robin").click()
        expect(theirs.locator("h1")).to_have_text("Robin")
        self.assertEqual(theirs.locator("#tabs a").all_inner_texts(), ["Equipment", "Setups", "Rounds", "Training log"])
        expect(theirs.get_by_text("You read what Robin shares with you.")).to_be_visible()
        theirs.get_by_role("link", name="Risers 1").click()
        expect(theirs.get_by_role("link", name="Hoyt Formula XD")).to_be_visible()
        self.assertEqual(theirs.get_by_role("button", name="Archive").count(), 0)
        theirs.locator("#tabs a", has_text="Training log").click()
        expect(theirs.locator("h2", has_text="Training log")).to_be_visible()
        self.assertNotIn("Weight:", theirs.locator("main").inner_text())

        mine.get_by_role("button", name="End it: Coach").click()
        mine.locator("dialog button.main").click()
        expect(mine.locator("#state")).to_have_text("The share with Coach has ended.")
        theirs.locator("#tabs a", has_text="Equipment").click()
        expect(theirs.locator("main")).to_contain_text("Robin does not share this with you any more.")

    def test_an_invitation_is_accepted_by_its_code(self) -> None:
        archer, coach = Archer(self.running, "Robin"), Archer(self.running, "Coach")
        mine, theirs = self.signed_in(archer), self.signed_in(coach)
        self.turn(mine, "sharing")
        mine.get_by_role("button", name="Make an invitation…").click()
        mine.get_by_label("Body weight").check()
        mine.locator("dialog button.main").click()
        code = mine.locator("dialog .show").inner_text()
        mine.locator("dialog button.main").click()
        expect(mine.get_by_text("Invitations that wait")).to_have_count(2)
        self.turn(theirs, "sharing")
        theirs.get_by_role("button", name="Accept an invitation…").click()
        theirs.get_by_label("Code").fill(code)
        theirs.locator("dialog button.main").click()
        expect(theirs.locator("#state")).to_have_text("You may read what Robin shares.")
        expect(theirs.locator("#user option")).to_have_text(["myself", "Robin"])
        theirs.locator("#user").select_option(label="Robin")
        self.assertEqual(theirs.locator("#tabs a").all_inner_texts(), ["Weight"])

    def test_everybody_can_use_each_view_on_each_screen_in_each_language(self) -> None:
        archer, coach = Archer(self.running, "Robin"), Archer(self.running, "كريم عبد الله")
        self.fill(archer)
        archer.share(coach, "EQUIPMENT", "ROUNDS")
        coach.share(archer, "ROUNDS")
        views = ["equipment", "equipment/RISER", f"equipment/RISER/{self.items['Riser']}", "setups", f"setups/{self.indoor}", "compare", "rounds", "weight",
                 "strength", "strength/Squat", "log", "sharing", "squad"]  # fmt: skip
        page = self.signed_in(archer)
        for first, view in enumerate(views):
            self.turn(page, view)
            for name in self.in_forms(page, f"me-{view.replace('/', '-')}", first):
                if view == "compare":
                    page.locator("main select").nth(0).select_option(index=1)
                    page.locator("main select").nth(1).select_option(index=1)
                    page.wait_for_selector("#result table")
                self.check(page, name)

    def test_a_wrong_token_and_a_revoked_one_are_told(self) -> None:
        archer = Archer(self.running, "Robin")
        page = self.signed_in(archer)
        self.running.call("Admin/RevokeToken", id=archer.call("Account/WhoAmI")["tokenId"])
        page.locator("#tabs a", has_text="Rounds").click()
        expect(page.get_by_text("Code or token")).to_be_visible()
        page.locator("main input").first.fill("WRONGCODEWRONGCO")
        page.locator("main button.main").click()
        expect(page.locator("#state.bad")).to_be_visible()


if __name__ == "__main__":
    kit.main()
