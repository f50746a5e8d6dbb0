"""What archers enter on their page, with and without a connection: each change is stored once, and what is refused is told."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import kit
from archers import Archer, MePages, today
from playwright.sync_api import Page, expect
from running import PROGRAMS, Running, wait_until

# Of each type: what is typed into its required fields, the name in lists, and the field of the message.
ITEMS: dict[str, tuple[dict[str, str], str, str]] = {
    "RISER": ({"Brand": "Hoyt", "Model": "Xceed", "Length (in)": "25"}, "Hoyt Xceed", "Riser"),
    "LIMBS": ({"Brand": "Uukha", "Model": "VX", "Draw weight (lb)": "38.5", "Limb length": "Medium"}, "Uukha VX", "Limbs"),
    "SIGHT": ({"Brand": "Axcel", "Model": "Achieve"}, "Axcel Achieve", "Sight"),
    "REST": ({"Brand": "AAE", "Model": "Free Flyte", "Kind": "Magnetic"}, "AAE Free Flyte", "Rest"),
    "PLUNGER": ({"Brand": "Beiter", "Model": "Plunger", "Adjustment": "Micro"}, "Beiter Plunger", "Plunger"),
    "BOW_STRING": ({"Maker": "Angel", "Type of string": "Majesty", "Strands": "16"}, "Angel Majesty", "BowString"),
    "STABILIZER": ({"Brand": "Doinker", "Model": "Quattro", "Position": "Long rod"}, "Doinker Quattro", "Stabilizer"),
    "WEIGHT": ({"Location": "side rod", "Name": "disc", "Ounces": "4"}, "side rod disc", "Weight"),
    "ARROW": ({"Brand": "Easton", "Model": "X10", "Spine": "500"}, "Easton X10", "Arrow"),
    "ACCESSORY": ({"Name": "Cartel", "Kind": "Tab"}, "Cartel Tab", "Accessory"),
}  # fmt: skip


class WriteTest(MePages):
    def enter(self, page: Page, values: dict[str, str], dialog: bool = True) -> None:
        """Types into the fields of a form by their labels, and saves it."""
        form = page.locator("dialog[open]") if dialog else page.locator("main")
        for label, value in values.items():
            control = form.locator(".field", has=page.get_by_text(label, exact=True)).locator("input, select, textarea")
            if control.evaluate("(one) => one.tagName") == "SELECT":
                control.select_option(label=value)
            else:
                control.fill(value)
        if dialog:
            form.locator("button.main").click()
            expect(page.locator("dialog[open]")).to_have_count(0)

    def told(self, page: Page, text: str) -> None:
        expect(page.locator("#state")).to_have_text(text)

    def kept(self, page: Page) -> None:
        """The page starts without a connection from now on."""
        page.wait_for_function("navigator.serviceWorker?.controller || navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        expect(page.locator("#tabs")).to_be_visible()

    @staticmethod
    def waits(page: Page, count: int) -> None:
        expect(page.locator(f"#store[data-waiting='{count}']")).to_have_count(1)
        if count:
            expect(page.locator("#store")).to_contain_text(f"Changes to be sent: {count}, since ")

    @staticmethod
    def kept_values(page: Page) -> int:
        """How many values the databases of the page have besides what waits."""
        return int(page.evaluate("""async () => {
          const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
          let count = 0;
          for (const { name } of (await indexedDB.databases()).filter((one) => one.name.startsWith("quiver-me-"))) {
            const database = await done(indexedDB.open(name));
            for (const store of ["standing", "shown", "steps"]) count += await done(database.transaction(store).objectStore(store).count());
            database.close();
          }
          return count;
        }"""))

    def test_items_of_the_ten_types_are_made_changed_and_archived(self) -> None:
        archer = Archer(self.running, "Robin")
        page = self.signed_in(archer)
        for kind, (typed, name, method) in ITEMS.items():
            with self.subTest(kind):
                self.turn(page, f"equipment/{kind}")
                page.get_by_role("button", name="Add…").click()
                page.locator("dialog button.main").click()
                expect(page.locator("dialog [role=alert]")).to_have_text(f"{next(iter(typed))} is missing.")
                self.enter(page, typed)
                self.told(page, f"{name} is stored.")
                self.assertEqual([row[0] for row in self.rows(page)], [name])
                page.get_by_role("link", name=name).click()
                page.get_by_role("button", name="Change…").click()
                self.enter(page, {"Notes": "a note"})
                self.told(page, f"{name} is stored.")
                expect(page.locator("dl")).to_contain_text("a note")
                stored = archer.call("Equipment/ListItems", type=f"EQUIPMENT_TYPE_{kind}")["items"]
                self.assertEqual(len(stored), 1)
                item = archer.call(f"Equipment/Get{method}", id=stored[0]["id"])
                self.assertEqual((item["notes"], item["revision"]), ("a note", "2"))
                self.turn(page, f"equipment/{kind}")
                page.get_by_role("button", name=f"Archive {name}").click()
                self.told(page, f"{item['displayModel']} is in the archive.")
        hub = archer.call("Equipment/GetHub")
        self.assertEqual((hub.get("total", 0), hub["archivedTotal"]), (0, 10))
        self.assertEqual(archer.call("Equipment/ListItems", type="EQUIPMENT_TYPE_STABILIZER", includeArchived=True)["items"][0]["displayBrand"], "Doinker")

    def test_weights_are_added_changed_deleted_and_taken_back(self) -> None:
        archer = Archer(self.running, "Robin")
        page = self.signed_in(archer)
        self.turn(page, "weight")
        page.get_by_role("button", name="New weight…").click()
        form = page.locator("dialog[open]")
        self.assertEqual(form.locator("input[type=date]").input_value(), page.evaluate("new Date().toISOString().slice(0, 10)"), "today unless another day is chosen")
        form.get_by_label("Weight").fill("1501")
        form.locator("button.main").click()
        expect(form.locator("[role=alert]")).to_have_text("Weight: from 0.5 to 1500.")
        self.enter(page, {"Weight": "170.25", "Note": "before breakfast", "Body fat (%)": "14.5"})
        expect(page.locator("#state")).to_have_text(re.compile(r"^170\.3 lb, .* is stored\.$"))
        self.assertEqual([row[1] for row in self.rows(page)], ["170.3 lb"])
        entry = archer.call("Logbook/ListWeightEntries")["entries"][0]
        self.assertEqual((entry["thousandths"], entry["note"], entry["bodyFatPercent"], entry["day"]), ("170250", "before breakfast", 14.5, today()))
        page.get_by_role("button", name="Change…").click()
        self.enter(page, {"Weight": "171", "Note": ""})
        expect(page.locator("#state")).to_have_text(re.compile(r"^171\.0 lb, .* is stored\.$"))
        entry = archer.call("Logbook/ListWeightEntries")["entries"][0]
        self.assertEqual((entry["thousandths"], entry.get("note", ""), entry["revision"]), ("171000", "", "2"))
        page.locator("#months").get_by_role("button", name="Delete").click()
        expect(page.locator("#state")).to_contain_text("It can be taken back for 30 days.")
        expect(page.locator("#months")).to_have_text("There are no entries.")
        page.locator("#deleted summary").click()
        page.locator("#deleted").get_by_role("button", name="Take back").click()
        expect(page.locator("#state")).to_contain_text("is in the list again.")
        self.assertEqual([row[1] for row in self.rows(page)], ["171.0 lb"])

    def test_a_plan_is_made_changed_and_deleted(self) -> None:
        archer = Archer(self.running, "Robin")
        archer.weigh(today() - 3, 170)
        page = self.signed_in(archer)
        self.turn(page, "weight")
        page.get_by_role("button", name="Make a plan…").click()
        form = page.locator("dialog[open]")
        for values, fault in (({"Goal": "170"}, "The goal must not be the start."), ({"Goal": "150", "A milestone each": "7"}, "Milestones are 5, 10, 15 lb apart."),
                              ({"Goal": "700", "Unit": "kilograms"}, "Goal: from 0.5 to 680.")):  # fmt: skip
            for label, value in values.items():
                control = form.locator(".field", has=page.get_by_text(label, exact=True)).locator("input, select")
                control.select_option(label=value) if label in ("Unit", "A milestone each") else control.fill(value)
            form.locator("button.main").click()
            expect(form.locator("[role=alert]")).to_have_text(fault)
        self.enter(page, {"Goal": "155", "Unit": "pounds", "A milestone each": "5"})
        self.told(page, "Plan is stored.")
        expect(page.get_by_text("Plan: from 170.0 to 155.0 lb.")).to_be_visible()
        page.get_by_role("button", name="Change the plan…").click()
        self.enter(page, {"Goal": "160"})
        self.told(page, "Plan is stored.")
        plan = archer.call("Logbook/GetWeightPlan")
        self.assertEqual((plan["startThousandths"], plan["goalThousandths"], plan["stepThousandths"], plan["revision"]), ("170000", "160000", "5000", "2"))
        page.get_by_role("button", name="Delete the plan…").click()
        page.locator("dialog button.main").click()
        self.told(page, "Plan is deleted.")
        page.get_by_role("button", name="Make a plan…").click()
        self.enter(page, {"Goal": "180"})
        self.told(page, "Plan is stored.")
        self.assertEqual(archer.call("Logbook/GetWeightPlan")["goalThousandths"], "180000")

    def test_sets_are_added_changed_and_deleted(self) -> None:
        archer = Archer(self.running, "Robin")
        page = self.signed_in(archer)
        self.turn(page, "strength")
        page.get_by_role("button", name="New set…").click()
        self.enter(page, {"Exercise": "Squat", "Repetitions": "5", "Weight": "225"})
        expect(page.locator("#state")).to_contain_text("is stored.")
        self.turn(page, "strength/Squat")
        page.get_by_role("button", name="Change…").click()
        self.enter(page, {"Repetitions": "37"})
        expect(page.locator("main")).to_contain_text("No set has a one-rep max.")
        one = archer.call("Logbook/ListSets", exercise="Squat")["sets"][0]
        self.assertEqual((one["repetitions"], one["weight"], one["sets"], one["revision"]), (37, 225, 1, "2"))
        page.get_by_role("button", name="Delete…").click()
        page.locator("dialog button.main").click()
        expect(page.locator("#state")).to_contain_text("is deleted.")
        self.assertEqual(archer.call("Logbook/ListExercises").get("exercises", []), [])

    def test_sight_marks_of_a_setup_and_the_state_of_setups_are_changed(self) -> None:
        archer = Archer(self.running, "Robin")
        setup, other = archer.setup("Outdoor"), archer.setup("Indoor")
        page = self.signed_in(archer)
        self.turn(page, f"setups/{setup}")
        for distance, unit, mark in (("70", "metres", "5.5"), ("60", "yards", "4.25")):
            page.get_by_role("button", name="New sight mark…").click()
            self.enter(page, {"Distance": distance, "Unit": unit, "Mark": mark})
            self.told(page, f"{distance} {'yd' if unit == 'yards' else 'm'} is stored.")
        self.assertEqual([row[:2] for row in self.rows(page, 1 if page.locator("main table").count() > 1 else 0)], [["60 yd", "4.25"], ["70 m", "5.50"]])
        page.get_by_role("button", name="Change… 60 yd").click()
        self.enter(page, {"Mark": "4.3", "Notes": "new string"})
        self.told(page, "60 yd is stored.")
        page.get_by_role("button", name="Delete… 70 m").click()
        page.locator("dialog button.main").click()
        self.told(page, "70 m is deleted.")
        marks = archer.call("Equipment/ListSightMarks", setupId=setup)["sightMarks"]
        self.assertEqual([(mark["distance"], mark["markValue"], mark["notes"]) for mark in marks], [(60, 4.3, "new string")])
        self.turn(page, "setups")
        page.get_by_role("button", name="Make default Indoor").click()
        self.told(page, "Indoor is stored.")
        page.get_by_role("button", name="Deactivate Outdoor").click()
        self.told(page, "Outdoor is stored.")
        states = {one["id"]: (one.get("isActive", False), one.get("isDefault", False)) for one in archer.call("Equipment/ListBowSetups", includeInactive=True)["setups"]}
        self.assertEqual(states, {setup: (False, False), other: (True, True)})

    def test_a_setup_is_made_from_items_and_changed_with_and_without_a_connection(self) -> None:
        archer = Archer(self.running, "Robin")
        items = {name: archer.call(f"Equipment/Create{kind}", **{field: item})["id"] for name, kind, field, item in (
            ("xceed", "Riser", "riser", {"brand": "Hoyt", "model": "Xceed"}), ("gx", "Riser", "riser", {"brand": "Gillo", "model": "GX"}),
            ("disc", "Weight", "weight", {"location": "side rod", "name": "disc", "ounces": 4}))}  # fmt: skip

        def parts(setup: str) -> list[tuple[str, int]]:
            return [(part["equipmentId"], part["quantity"]) for part in archer.call("Equipment/GetBowSetup", id=setup).get("components", [])]

        page = self.signed_in(archer)
        self.turn(page, "setups")
        page.get_by_role("button", name="New setup…").click()
        self.enter(page, {"Name": "Indoor"})
        self.told(page, "Indoor is stored.")
        [setup] = [one["id"] for one in archer.call("Equipment/ListBowSetups")["setups"]]
        self.turn(page, f"setups/{setup}")
        for name, quantity in (("Riser: Hoyt Xceed", "1"), ("Weight: side rod disc", "3"), ("Riser: Gillo GX", "1")):
            page.get_by_role("button", name="Add a part…").click()
            self.enter(page, {"Part": name, "Quantity": quantity})
            self.told(page, "Indoor is stored.")
        # The second riser took the place of the first.
        self.assertEqual([row[1:3] for row in self.rows(page)], [["Gillo GX", "1"], ["side rod disc", "3"]])
        self.assertEqual(parts(setup), [(items["gx"], 1), (items["disc"], 3)])
        page.get_by_role("button", name="Add a part…").click()
        form = page.locator("dialog[open]")
        form.locator("select").select_option(label="Riser: Hoyt Xceed")
        form.locator("input").fill("2")
        form.locator("button.main").click()
        expect(form.locator("[role=alert]")).to_have_text("Quantity: from 1 to 1.")
        form.get_by_role("button", name="Cancel").click()
        # Only the latest version is changed.
        self.turn(page, f"setups/{setup}/1")
        expect(page.get_by_role("button", name="Add a part…")).to_have_count(0)
        self.turn(page, f"setups/{setup}")
        page.get_by_role("button", name="Copy…").click()
        self.enter(page, {"Name": "Outdoor"})
        self.told(page, "Outdoor is stored.")
        self.assertEqual(sorted(row[0] for row in self.rows(page)), ["Indoor", "Outdoor"])
        self.turn(page, f"setups/{setup}")
        page.context.set_offline(True)
        page.get_by_role("button", name="Remove side rod disc").click()
        self.told(page, "It is stored on this device, and is sent when there is a connection.")
        page.get_by_role("button", name="Change…").click()
        self.enter(page, {"Name": "Hall", "Notes": "light arrows"})
        self.waits(page, 2)
        self.assertIn("Indoor: Remove side rod disc", page.locator(".waiting").inner_text())
        page.context.set_offline(False)
        self.waits(page, 0)
        found = archer.call("Equipment/GetBowSetup", id=setup)
        self.assertEqual((found["name"], found["notes"], parts(setup)), ("Hall", "light arrows", [(items["gx"], 1)]))
        self.turn(page, f"setups/{setup}")
        page.get_by_role("button", name="Delete…").click()
        page.locator("dialog button.main").click()
        self.told(page, "Hall is deleted.")
        self.assertEqual([one["name"] for one in archer.call("Equipment/ListBowSetups")["setups"]], ["Outdoor"])

    def begin_practice(self, page: Page, **conditions: str) -> None:
        self.turn(page, "practice")
        self.enter(page, {"Round": "WA 18m", **conditions}, dialog=False)
        page.get_by_role("button", name="Begin").click()
        expect(page.locator("#practice .end h3")).to_contain_text("End 1 of 20 · 18 m")

    @staticmethod
    def shoot(page: Page, *values: str) -> None:
        for value in values:
            count = page.locator("#practice .end .arrow:not(.empty)").count()
            page.locator(f"#practice [data-value='{value}']").click()
            expect(page.locator("#practice .end .arrow:not(.empty)")).to_have_count(count + 1)

    def card(self, archer: Archer) -> Any:
        session = archer.call("Rounds/ListSessions")["sessions"][0]
        return session, archer.call("Rounds/GetScorecard", participantId=session["rounds"][0]["participantId"])

    def test_a_practice_is_scored_with_agreed_ends_undo_and_corrections(self) -> None:
        archer = Archer(self.running, "Robin")
        setup = archer.setup("Indoor")
        page = self.signed_in(archer)
        self.begin_practice(page, Setup="Indoor", Where="the hall", **{"Light of the place": "Artificial"})
        self.assertEqual(page.locator("#practice .pad button").all_inner_texts(), ["X", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "M"])
        self.shoot(page, "9", "X", "M")
        # A tap too many on a full end agrees nothing, and is no arrow.
        expect(page.locator("#practice .pad [aria-disabled=true]")).to_have_count(12)
        page.locator("#practice [data-value='M']").dblclick(force=True)
        expect(page.locator("#practice .end h3")).to_contain_text("End 1 of 20")
        expect(page.locator("#sum")).to_have_text("19 points, 3 of 60 arrows")
        # Before the end is agreed an arrow is entered again without a reason.
        page.get_by_role("button", name="Arrow 3: M. Enter it again").click()
        page.locator("#practice [data-value='7']").click()
        expect(page.locator("#practice .end .sum")).to_have_text("26")
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#practice .end .sum")).to_have_text("19")
        page.locator("#agree").click()
        expect(page.locator("#practice .end h3")).to_contain_text("End 2 of 20")
        self.assertEqual(self.rows(page)[0], ["1", "X\n9\nM", "19", "19"])
        # Afterwards it needs one.
        page.get_by_role("button", name="End 1, arrow 3: M. Correct it").click()
        page.locator("dialog select").select_option(label="8")
        page.locator("dialog button.main").click()
        expect(page.locator("dialog [role=alert]")).to_have_text("Give a reason.")
        page.get_by_label("Reason").fill("line cutter")
        page.locator("dialog button.main").click()
        expect(page.locator("#sum")).to_contain_text("27 points, 3 of 60 arrows")
        page.keyboard.press("x")
        page.keyboard.press("0")
        expect(page.locator("#sum")).to_contain_text("47 points, 5 of 60 arrows")
        page.keyboard.press("Backspace")
        expect(page.locator("#sum")).to_contain_text("37 points, 4 of 60 arrows")
        page.get_by_role("button", name="Conditions…").click()
        self.enter(page, {"Weather": "Cloudy"})
        self.told(page, "The conditions are stored.")
        self.waits(page, 0)
        self.assertTrue(wait_until(lambda: self.card(archer)[1].get("round", {}).get("score", {}).get("total") == 37))
        session, card = self.card(archer)
        self.assertEqual((session["conditions"]["place"], session["conditions"]["weather"], card["round"]["setupId"]), ("the hall", "WEATHER_CLOUDY", setup))
        history = archer.call("Rounds/GetScorecard", participantId=card["round"]["participantId"], includeHistory=True)["history"]
        self.assertIn("line cutter", [one["operation"].get("reason") for one in history])
        # Another device goes on where this one was.
        other = self.signed_in(archer)
        self.turn(other, "rounds")
        other.get_by_role("link", name="WA 18m").click()
        expect(other.locator("#sum")).to_contain_text("37 points, 4 of 60 arrows")
        expect(other.locator("#practice .end h3")).to_contain_text("End 2 of 20")
        self.shoot(other, "10")
        other.get_by_role("button", name="End the practice…").click()
        other.locator("dialog button.main").click()
        self.assertTrue(wait_until(lambda: self.card(archer)[1]["round"]["status"] == "ROUND_STATUS_COMPLETED"))
        self.assertEqual(self.card(archer)[1]["round"]["score"]["total"], 47)

    def test_what_is_entered_without_a_connection_is_sent_once(self) -> None:
        archer = Archer(self.running, "Robin")
        archer.weigh(today() - 3, 170)
        page = self.signed_in(archer)
        self.kept(page)
        for view in ("weight", "strength", "equipment", "equipment/RISER", "practice", "rounds"):
            self.turn(page, view)
            expect(page.locator("main h2").first).to_be_visible()
        page.context.set_offline(True)
        self.view(page, "weight")
        expect(page.locator("#store")).to_contain_text("There is no connection. What is shown is of ")
        self.assertEqual([row[1] for row in self.rows(page)], ["170.0 lb"])
        page.get_by_role("button", name="New weight…").click()
        self.enter(page, {"Weight": "171.5"})
        self.told(page, "It is stored on this device, and is sent when there is a connection.")
        self.waits(page, 1)
        self.assertIn("171.5 lb", page.locator(".waiting").inner_text())
        self.turn(page, "strength")
        page.get_by_role("button", name="New set…").click()
        self.enter(page, {"Exercise": "Row", "Repetitions": "8", "Weight": "60", "Unit": "kilograms"})
        self.waits(page, 2)
        self.turn(page, "equipment/RISER")
        page.get_by_role("button", name="Add…").click()
        self.enter(page, {"Brand": "Gillo", "Model": "GX"})
        self.waits(page, 3)
        self.begin_practice(page)
        self.shoot(page, "10", "9", "8")
        page.locator("#agree").click()
        self.waits(page, 7)
        # The page was closed and is opened again, still without a connection.
        self.view(page, "waiting")
        self.waits(page, 7)
        self.assertEqual(len(self.rows(page)), 7)
        page.get_by_role("button", name="Take out Gillo GX").click()
        self.waits(page, 6)
        self.assertEqual(archer.call("Logbook/ListWeightEntries")["entries"][0]["thousandths"], "170000")
        # Connections are cut while it sends: what the server stored without an answer is not stored twice.
        cut = 0

        def cutting(route: Any) -> None:
            nonlocal cut
            cut += 1
            if cut <= 2:
                route.fetch()
                route.abort()
            else:
                route.continue_()

        for method in ("Logbook/CreateWeightEntry", "Logbook/CreateSet", "Rounds/CreateSession", "Rounds/ApplyOperations"):
            page.route(f"**/quiver.v1.{method}", cutting)
        page.context.set_offline(False)
        self.waits(page, 0)
        self.assertGreater(cut, 2)
        self.assertEqual([entry["thousandths"] for entry in archer.call("Logbook/ListWeightEntries")["entries"]], ["171500", "170000"])
        self.assertEqual(len(archer.call("Logbook/ListSets", exercise="Row")["sets"]), 1)
        self.assertEqual(archer.call("Equipment/ListItems").get("items", []), [])
        session, card = self.card(archer)
        self.assertEqual([arrow["value"] for arrow in card["arrows"]], [10, 9, 8])
        self.assertEqual(len(archer.call("Rounds/ListSessions")["sessions"]), 1)
        self.turn(page, "weight")
        self.assertEqual([row[1] for row in self.rows(page)], ["171.5 lb", "170.0 lb"])
        expect(page.locator("#store")).not_to_contain_text("There is no connection")

    def test_the_second_of_two_changes_without_a_connection_builds_on_the_first(self) -> None:
        archer = Archer(self.running, "Robin")
        archer.weigh(today() - 3, 170)
        limbs = archer.call("Equipment/CreateLimbs", limbs={"brand": "Uukha", "model": "VX"})["id"]
        page = self.signed_in(archer)
        self.kept(page)
        for view in (f"equipment/LIMBS/{limbs}", "equipment/LIMBS", "weight"):
            self.turn(page, view)
            expect(page.locator("main h2").first).to_be_visible()
        page.context.set_offline(True)
        for count, values in enumerate(({"Note": "before breakfast"}, {"Weight": "171.5"}), 1):
            page.get_by_role("button", name="Change…").click()
            self.enter(page, values)
            self.waits(page, count)
        self.turn(page, f"equipment/LIMBS/{limbs}")
        page.get_by_role("button", name="Change…").click()
        self.enter(page, {"Material": "carbon"})
        self.waits(page, 3)
        page.get_by_role("button", name="Delete…").click()
        page.locator("dialog button.main").click()
        self.waits(page, 4)
        page.context.set_offline(False)
        self.waits(page, 0)
        expect(page.locator("#store")).to_have_text("")
        entry = archer.call("Logbook/ListWeightEntries")["entries"][0]
        self.assertEqual((entry["thousandths"], entry["note"], entry["revision"]), ("171500", "before breakfast", "3"))
        self.assertEqual(archer.call("Equipment/ListItems", includeArchived=True).get("items", []), [])

    def test_a_tap_counts_while_the_server_answers_to_the_one_before(self) -> None:
        archer = Archer(self.running, "Robin")
        page = self.signed_in(archer)
        self.begin_practice(page)
        self.waits(page, 0)
        held: list[Any] = []
        page.route("**/quiver.v1.Rounds/ApplyOperations", lambda route: held.append(route))
        with page.expect_request("**/quiver.v1.Rounds/ApplyOperations"):
            self.shoot(page, "9")
        box = page.locator("#practice [data-value='10']").bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        while not held:
            page.wait_for_timeout(20)
        held[0].continue_()
        page.unroute("**/quiver.v1.Rounds/ApplyOperations")
        expect(page.locator("#practice .end [data-mark='synced']")).to_have_count(1)
        page.mouse.up()
        expect(page.locator("#sum")).to_have_text("19 points, 2 of 60 arrows")

    def test_a_round_that_is_drawn_twice_at_once_shows_what_changes(self) -> None:
        page = self.signed_in(Archer(self.running, "Robin"))
        self.begin_practice(page)
        self.waits(page, 0)
        address = page.evaluate("location.hash")
        self.turn(page, "weight")
        held: list[Any] = []
        page.route("**/quiver.v1.Rounds/GetScorecard", lambda route: route.continue_() if held else held.append(route))
        # What the first drawing asks is answered only when the second one is shown.
        page.evaluate("(hash) => { location.hash = hash; }", address)
        while not held:
            page.wait_for_timeout(20)
        page.evaluate("dispatchEvent(new Event('hashchange'))")
        expect(page.locator("#practice .end h3")).to_contain_text("End 1 of 20")
        with page.expect_response("**/quiver.v1.Rounds/GetScorecard"):
            held[0].continue_()
        self.shoot(page, "9")
        expect(page.locator("#practice .end [data-mark='synced']")).to_have_count(1)
        page.keyboard.press("x")
        expect(page.locator("#sum")).to_have_text("19 points, 2 of 60 arrows")

    def test_who_is_signed_out_leaves_nothing_that_was_read(self) -> None:
        robin, kim = Archer(self.running, "Robin"), Archer(self.running, "Kim")
        robin.weigh(today() - 3, 170)
        page = self.signed_in(robin)
        self.begin_practice(page)
        self.shoot(page, "9")
        self.waits(page, 0)
        self.turn(page, "weight")
        expect(page.locator("main")).to_contain_text("170.0 lb")
        page.wait_for_function("indexedDB.databases().then((all) => all.length > 0)")
        self.assertGreater(self.kept_values(page), 0)
        # Who has lost a phone revokes its token: the page notes it at its next call.
        self.running.call("Admin/RevokeToken", id=robin.call("Account/WhoAmI")["tokenId"])
        page.locator("#tabs a", has_text="Rounds").click()
        expect(page.locator("#state.bad")).to_have_text("This sign-in has ended, or was never valid.")
        expect(page.get_by_text("Code or token")).to_be_visible()
        self.assertEqual(self.kept_values(page), 0)
        # Whose token is typed next, the server has to say first.
        page.context.set_offline(True)
        page.locator("main input").first.fill(kim.token)
        page.locator("main button.main").click()
        expect(page.locator("#state.bad")).to_contain_text("There is no connection to the server.")
        page.evaluate("location.hash = '#/weight'")
        expect(page.locator("main")).to_contain_text("There is no connection, and this device has not seen this before.")
        page.context.set_offline(False)
        page.get_by_role("button", name="Try again").click()
        expect(page.locator("#months")).to_have_text("There are no entries.")

    def test_everybody_can_enter_it_on_each_screen_in_each_language(self) -> None:
        archer = Archer(self.running, "Robin")
        self.fill(archer)
        archer.call("Equipment/AddBowSetupComponent", id=self.indoor, component={"equipmentId": self.items["Sight"]})
        page = self.signed_in(archer)
        for first, view in enumerate(("equipment/ARROW", "weight", "strength", "setups", f"setups/{self.indoor}")):
            self.turn(page, view)
            for name in self.in_forms(page, f"me-form-{view.replace('/', '-')}", first):
                page.locator("main button.main").first.click()
                self.check(page, name)
                page.locator("dialog button").last.click()
        self.turn(page, "practice")
        for name in self.in_forms(page, "me-practice"):
            self.check(page, name)
        self.speak(page, "en")
        page.locator("main select").first.select_option(label="WA 18m")
        page.locator("main button.main").click()
        self.shoot(page, "10", "X", "M")
        for name in self.in_forms(page, "me-practice-full", 1):
            self.check(page, name)
        page.locator("#agree").click()
        expect(page.locator("#practice .end .arrow:not(.empty)")).to_have_count(0)
        self.shoot(page, "8")
        self.waits(page, 0)
        for name in self.in_forms(page, "me-practice-next", 2):
            self.check(page, name)
        self.turn(page, f"equipment/SIGHT/{self.items['Sight']}")
        page.locator("main button").nth(1).click()
        page.locator("dialog button.main").click()
        expect(page.locator(".waiting .bad")).to_have_count(1)
        self.turn(page, "waiting")
        for name in self.in_forms(page, "me-waiting", 3):
            expect(page.locator(".waiting .bad")).to_have_count(1)
            self.check(page, name)

    def test_what_the_server_does_not_take_is_told_with_what_to_do(self) -> None:
        archer = Archer(self.running, "Robin")
        riser = archer.call("Equipment/CreateRiser", riser={"brand": "Hoyt", "model": "Xceed"})["id"]
        setup = archer.setup("Indoor")
        archer.call("Equipment/AddBowSetupComponent", id=setup, component={"equipmentId": riser})
        limbs = archer.call("Equipment/CreateLimbs", limbs={"brand": "Uukha", "model": "VX"})
        page = self.signed_in(archer)
        # Refused: the sentence has the setups, and the change can be discarded.
        self.turn(page, f"equipment/RISER/{riser}")
        page.get_by_role("button", name="Delete…").click()
        page.locator("dialog button.main").click()
        expect(page.locator("#state.bad")).to_contain_text("Indoor")
        expect(page.locator("#store")).to_contain_text("Changes that were not taken: 1. Look at them.")
        expect(page.locator(".waiting")).to_contain_text("Indoor")
        page.get_by_role("button", name="Discard… Delete Hoyt Xceed").click()
        page.locator("dialog button.main").click()
        expect(page.locator(".waiting")).to_have_count(0)
        expect(page.locator("#store")).to_have_text("")
        # Changed elsewhere meanwhile: one's own change counts, or is discarded.
        self.turn(page, f"equipment/LIMBS/{limbs['id']}")
        page.get_by_role("button", name="Change…").click()
        archer.call("Equipment/UpdateLimbs", limbs={"id": limbs["id"], "revision": "1", "notes": "elsewhere"}, updateMask=["notes"])
        self.enter(page, {"Material": "carbon"})
        expect(page.locator("#state.bad")).to_have_text("Somebody else has changed this meanwhile.")
        expect(page.locator(".waiting")).to_contain_text("It was changed elsewhere meanwhile.")
        page.get_by_role("button", name="Mine counts Change Uukha VX").click()
        self.assertTrue(wait_until(lambda: archer.call("Equipment/GetLimbs", id=limbs["id"]).get("material") == "carbon"))
        self.assertEqual(archer.call("Equipment/GetLimbs", id=limbs["id"])["notes"], "elsewhere")
        expect(page.locator("#store")).to_have_text("")

    def test_what_is_changed_after_the_store_was_set_back_counts_without_a_new_load(self) -> None:
        self.running = Running()
        self.addCleanup(self.running.end)
        self.origin = "http://" + self.running.address
        archer = Archer(self.running, "Robin")
        archer.call("Equipment/CreateRiser", riser={"brand": "Hoyt", "model": "Xceed"})
        # Its keys look older than the new epoch for ten minutes.
        page = self.signed_in(archer, "const real = Date.now; Date.now = () => real() - 600_000;")
        self.turn(page, "equipment/RISER")
        self.running.server.terminate()
        self.running.server.wait()
        subprocess.run([str(PROGRAMS / "quiverd"), "epoch", "new", "--data", f"{self.running.folder}/data"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        self.running.start_server()
        # It names no revision, so that only the epoch of what the page shows tells.
        page.get_by_role("button", name="Archive Hoyt Xceed").click()
        expect(page.locator("#state.bad")).to_have_text("Somebody else has changed this meanwhile.")
        page.get_by_role("button", name="Discard… ").click()
        page.locator("dialog button.main").click()
        expect(page.locator(".waiting")).to_have_count(0)
        page.get_by_role("button", name="Archive Hoyt Xceed").click()
        self.told(page, "Xceed is in the archive.")
        self.assertEqual(archer.call("Equipment/GetHub")["archivedTotal"], 1)

    def test_who_signs_in_next_neither_sees_nor_sends_what_waits(self) -> None:
        robin, kim = Archer(self.running, "Robin"), Archer(self.running, "Kim")
        page = self.signed_in(robin)
        self.turn(page, "weight")
        page.route("**/quiver.v1.Logbook/CreateWeightEntry", lambda route: route.abort())
        page.get_by_role("button", name="New weight…").click()
        self.enter(page, {"Weight": "171.5"})
        self.waits(page, 1)
        self.turn(page, "sharing")
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator("dialog")).to_contain_text("Changes that are not with the server yet: 1.")
        page.locator("dialog button.main").click()
        expect(page.get_by_text("Code or token")).to_be_visible()
        page.unroute("**/quiver.v1.Logbook/CreateWeightEntry")
        page.locator("main input").first.fill(kim.token)
        page.locator("main button.main").click()
        expect(page.locator("#tabs")).to_be_visible()
        self.turn(page, "weight")
        self.waits(page, 0)
        expect(page.locator("#months")).to_have_text("There are no entries.")
        self.turn(page, "sharing")
        page.get_by_role("button", name="Sign out").click()
        page.locator("dialog button.main").click()
        self.assertEqual((kim.call("Logbook/ListWeightEntries").get("entries", []), robin.call("Logbook/ListWeightEntries").get("entries", [])), ([], []))
        page.locator("main input").first.fill(robin.token)
        page.locator("main button.main").click()
        self.assertTrue(wait_until(lambda: len(robin.call("Logbook/ListWeightEntries").get("entries", [])) == 1))


if __name__ == "__main__":
    kit.main()
