"""The vectors of scoring on a device: made, and held. README.md says what they mean.

It is an implementation of the rules of its own: from score sheets as people add them, not from Quiver's code.

usage: session_vectors.py write    makes them anew
       session_vectors.py check    exits 1 unless what is there is what is made
"""

from __future__ import annotations

import json
import math
import pathlib
import random
import sys
from typing import Any

FOLDER = pathlib.Path(__file__).parent
SEED = 20_260_523

# Name, number of quiver.v1.Face, buttons, rings as diameter and value, and the diameter of the X ring.
TEN = {ring / 10: 11 - ring for ring in range(1, 11)}
SMALL_TEN = {0.05: 10, **{diameter: value for diameter, value in TEN.items() if value < 10}}
ELEVEN = {0.05: 11, **TEN}
FIVE = {0.2: 5, 0.4: 4, 0.6: 3, 0.8: 2, 1.0: 1}


def above(rings: dict[float, int], lowest: int) -> dict[float, int]:
    return {diameter: value for diameter, value in rings.items() if value >= lowest}


FACES: list[tuple[str, dict[float, int], float]] = [
    ("FACE_5_ZONE", {0.2: 9, 0.4: 7, 0.6: 5, 0.8: 3, 1.0: 1}, 0),
    ("FACE_10_ZONE", TEN, 0.05),
    ("FACE_10_ZONE_COMPOUND", SMALL_TEN, 0),
    ("FACE_10_ZONE_6_RING", above(TEN, 5), 0.05),
    ("FACE_10_ZONE_5_RING", above(TEN, 6), 0.05),
    ("FACE_10_ZONE_5_RING_COMPOUND", above(SMALL_TEN, 6), 0),
    ("FACE_11_ZONE", ELEVEN, 0),
    ("FACE_11_ZONE_6_RING", above(ELEVEN, 5), 0),
    ("FACE_11_ZONE_5_RING", above(ELEVEN, 6), 0),
    ("FACE_WA_FIELD", {0.1: 6, 0.2: 5, 0.4: 4, 0.6: 3, 0.8: 2, 1.0: 1}, 0),
    ("FACE_IFAA_FIELD", {0.2: 5, 0.6: 4, 1.0: 3}, 0),
    ("FACE_IFAA_FIELD_EXPERT", FIVE, 0),
    ("FACE_AA_NATIONAL_FIELD", FIVE, 0),
    ("FACE_BEITER_HIT_MISS", {1.0: 1}, 0),
    ("FACE_WORCESTER", FIVE, 0),
    ("FACE_WORCESTER_2_RING", above(FIVE, 4), 0),
    ("FACE_3D", {}, 0),
]
ANIMAL_VALUES = [11, 10, 8, 5]


def values_of(face: str) -> list[int]:
    if face == "FACE_3D":
        return ANIMAL_VALUES
    return sorted({value for value in dict((name, rings) for name, rings, _ in FACES)[face].values()},
                  reverse=True)  # fmt: skip


def has_x(face: str) -> bool:
    return any(name == face and x > 0 for name, _, x in FACES)


def buttons_of(face: str) -> list[str]:
    return (["X"] if has_x(face) else []) + [str(value) for value in values_of(face)] + ["M"]


def points(text: str | None) -> int:
    """What an arrow on a sheet adds."""
    return {None: 0, "M": 0, "X": 10}[text] if text in (None, "M", "X") else int(text)


def faces(dice: random.Random) -> list[Any]:
    made: list[Any] = []
    for number, (face, rings, x) in enumerate(FACES, 1):
        hits = []
        for _ in range(12 if rings else 1):
            arrow, diameter = dice.choice([5.5, 9.3]), dice.choice([40, 60, 80, 122])
            angle = dice.uniform(0, 2 * math.pi)
            radius = dice.uniform(0, 1.15)
            if rings and dice.random() < 0.4:
                # Beside a line, on either side of where the arrow stops touching it.
                line = dice.choice(list(rings))
                radius = line + arrow / (diameter * 10) + dice.choice([-1e-6, 1e-6])
            across, up = radius * math.cos(angle), radius * math.sin(angle)
            reach = math.hypot(across, up) - arrow / (diameter * 10)
            text: str | None = None
            if rings:
                touched = [value for line, value in rings.items() if reach <= line]
                text = "X" if x and reach <= x else str(max(touched)) if touched else "M"
            hits.append({"x": across, "y": up, "arrow_mm": arrow, "face_cm": diameter, "arrow": text})
        made.append({"face": face, "number": number, "buttons": buttons_of(face), "hits": hits})
    return made


# Name, whether outdoors, and the passes: arrows, arrows of an end, face.
FORMATS: list[tuple[str, bool, list[tuple[int, int, str]]]] = [
    ("wa18", False, [(60, 3, "FACE_10_ZONE_5_RING")]),
    ("wa720", True, [(36, 6, "FACE_10_ZONE"), (36, 6, "FACE_10_ZONE")]),
    ("york", True, [(72, 6, "FACE_5_ZONE"), (48, 6, "FACE_5_ZONE"), (24, 6, "FACE_5_ZONE")]),
    ("worcester", False, [(60, 5, "FACE_WORCESTER")]),
    ("short_end", True, [(7, 3, "FACE_11_ZONE"), (4, 4, "FACE_10_ZONE_COMPOUND")]),
    ("one_arrow", False, [(1, 12, "FACE_3D")]),
]


def sheet(passes: list[tuple[int, int, str]]) -> list[tuple[int, str]]:
    """The lines of an empty sheet: how many boxes each has, and its face."""
    lines = []
    for arrows, per_end, face in passes:
        while arrows > 0:
            lines.append((min(arrows, per_end), face))
            arrows -= per_end
    return lines


def formats() -> list[Any]:
    made: list[Any] = []
    for name, outdoors, passes in FORMATS:
        lines = sheet(passes)
        boxes = [[end, place] for end, (count, _) in enumerate(lines) for place in range(count)]
        made.append({
            "name": name, "location": "ROUND_LOCATION_OUTDOOR" if outdoors else "ROUND_LOCATION_INDOOR",
            "passes": [{"arrows": arrows, "arrows_per_end": per_end, "face": face}
                       for arrows, per_end, face in passes],
            "end_sizes": [count for count, _ in lines], "slots": boxes, "arrow_count": len(boxes),
            "maximum": sum(values_of(face)[0] * arrows for arrows, _, face in passes),
        })  # fmt: skip
    return made


WORST = ["synced", "waiting", "refused", "conflict", "late"]


def card(dice: random.Random, name: str, passes: list[tuple[int, int, str]], filled: float) -> Any:
    lines = sheet(passes)
    boxes = [(end, place) for end, (count, _) in enumerate(lines) for place in range(count)]
    shown: dict[tuple[int, int], str | None] = {}
    held: dict[tuple[int, int], str | None] = {}
    marks: dict[tuple[int, int], str] = {}
    standing, waiting = [], []
    for box in boxes:
        if dice.random() > filled:
            continue
        is_retracted = dice.random() < 0.1
        former = dice.choice(buttons_of(lines[box[0]][1]))
        standing.append({"slot": box, "arrow": former, "retracted": is_retracted})
        shown[box] = None if is_retracted else former
        marks[box] = "synced"
    for _ in range(dice.randrange(12)):
        box = dice.choice(boxes)
        state = dice.choice(["waiting"] * 5 + ["refused", "conflict", "late"])
        is_retraction = shown.get(box) is not None and dice.random() < 0.3
        text = None if is_retraction else dice.choice(buttons_of(lines[box[0]][1]))
        waiting.append({"slot": box, "arrow": text, "state": state})
        marks[box] = max(marks.get(box, "synced"), state, key=WORST.index)
        if state == "waiting":
            shown[box] = text
        else:
            held[box] = text
            shown.setdefault(box, None)
    ends, running, completed = [], 0, 0
    for end, (count, _) in enumerate(lines):
        texts = [shown.get((end, place)) for place in range(count)]
        total = sum(points(text) for text in texts)
        running += total
        is_complete = all(text is not None for text in texts)
        completed += is_complete
        ends.append({"total": total, "running_total": running, "complete": is_complete})
    arrows = [(text, lines[box[0]][1]) for box, text in shown.items() if text is not None]
    tally = {
        "total": running, "x": sum(text == "X" for text, _ in arrows),
        "tens": sum(points(text) == 10 for text, _ in arrows),
        "hits": sum(text != "M" for text, _ in arrows),
        "golds": sum(points(text) == values_of(face)[0] for text, face in arrows),
        "arrows": len(arrows), "ends_completed": completed,
        "counts": [sum(points(text) == value for text, _ in arrows) for value in range(12)],
    }  # fmt: skip
    return {
        "format": name, "standing": standing, "waiting": waiting,
        "slots": [{"slot": box, "arrow": shown[box], "held": held.get(box), "mark": marks[box]}
                  for box in sorted(shown)],
        "ends": ends, "tally": tally,
        "open": next((box for box in boxes if shown.get(box) is None), None),
    }  # fmt: skip


def cards(dice: random.Random) -> list[Any]:
    return [card(dice, name, passes, filled) for name, _, passes in FORMATS
            for filled in (0, 0.3, 0.9, 1)]  # fmt: skip


def turns(dice: random.Random) -> list[Any]:
    made: list[Any] = []
    for _ in range(60):
        count = dice.randrange(0, 6)
        ids = dice.sample([3, 9, 10, 25, 100, 9_007_199_254_740_993], count)
        line = [{"participant": str(one), "order": dice.choice([0, 0, 1, 2, 3]),
                 "open": dice.choice([None, [dice.randrange(3), dice.randrange(3)],
                                      [dice.randrange(3), dice.randrange(3)]])}
                for one in ids]  # fmt: skip
        last = dict(dice.choice(line)) if line and dice.random() < 0.9 else {
            "participant": "50", "order": 1, "open": None}  # fmt: skip
        end = dice.randrange(3)
        opened = [end, dice.randrange(3)] if dice.random() < 0.2 else None
        last = {"participant": last["participant"], "order": last["order"], "end": end, "open": opened}
        made.append({"last": last, "candidates": line, "turn": turn(last, line)})
    return made


def turn(last: dict[str, Any], line: list[dict[str, Any]]) -> dict[str, Any]:
    if last["open"]:
        return {"kind": "arrow", "participant": last["participant"], "slot": last["open"]}
    ends = [one["open"][0] for one in line if one["open"]]
    if not ends:
        return {"kind": "done"}
    here = sorted((one for one in line if one["open"] and one["open"][0] == min(ends)),
                  key=lambda one: (one["order"], int(one["participant"])))  # fmt: skip
    place = (last["order"], int(last["participant"]))
    if min(ends) > last["end"]:
        kind, chosen = "end", here[0]
    else:
        behind = [one for one in here if (one["order"], int(one["participant"])) > place]
        kind, chosen = "participant", (behind + here)[0]
    return {"kind": kind, "participant": chosen["participant"], "slot": chosen["open"]}


# System, its number, archers of a side, arrows of an end, ends, and set points that win.
SYSTEMS = [
    ("MATCH_SYSTEM_INDIVIDUAL_SETS", 1, 3, 5, 6), ("MATCH_SYSTEM_TEAM_SETS", 3, 6, 4, 5),
    ("MATCH_SYSTEM_MIXED_TEAM_SETS", 2, 4, 4, 5),
    ("MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE", 1, 3, 5, None),
    ("MATCH_SYSTEM_TEAM_CUMULATIVE", 3, 6, 4, None),
    ("MATCH_SYSTEM_MIXED_TEAM_CUMULATIVE", 2, 4, 4, None),
]  # fmt: skip


def matches(dice: random.Random) -> list[Any]:
    made: list[Any] = []
    for number, (system, archers, size, ends, winning) in enumerate(SYSTEMS, 1):
        for kind in ["empty", "some", "random", "random", "tied", "tied", "tied", "tied", "missed",
                     "maximum", "maximum", "measured", "measured", "marked", "equal", "forfeit",
                     "both"]:  # fmt: skip
            face = dice.choice(["FACE_10_ZONE", "FACE_10_ZONE_COMPOUND"])
            maximum = dice.choice(["X", "10"]) if kind == "maximum" and has_x(face) else None
            sides: list[Any] = [{"ends": {}, "shoot_offs": {}}, {"ends": {}, "shoot_offs": {}}]
            shoot(dice, sides, kind, face, archers, size, ends)
            forfeits = {"forfeit": [dice.choice([1, 2])], "both": [1, 2]}.get(kind, [])
            made.append({
                "system": system, "number": number, "face": face, "rule_day": 20_596,
                "repeated_maximum": maximum, "cards": sides, "forfeits": forfeits,
                "score": result(sides, ends, winning, maximum, forfeits),
            })  # fmt: skip
    return made


def shoot(dice: random.Random, sides: list[Any], kind: str, face: str, archers: int, size: int,
          ends: int) -> None:  # fmt: skip
    def some(count: int) -> list[str]:
        return [dice.choice(buttons_of(face)[:6]) for _ in range(count)]

    if kind == "empty":
        return
    is_tied = kind not in ("some", "random", "forfeit", "both")
    for end in range(ends):
        arrows = some(size)
        for side in sides:
            if kind == "some" and dice.random() < 0.3:
                continue
            # Equal sums in another order.
            side["ends"][str(end)] = dice.sample(arrows, size) if is_tied else some(size)
    if not is_tied:
        return
    arrows = some(archers)
    if kind == "missed":
        arrows = ["M"] * archers
    if kind == "maximum":
        arrows = [buttons_of(face)[0]] * archers
    distances = [[dice.randrange(400) for _ in range(archers)] for _ in sides]
    if kind == "equal":
        distances[1] = dice.sample(distances[0], archers)
    for place, side in enumerate(sides):
        shot = some(archers) if kind == "tied" else arrows
        if kind == "tied" and dice.random() < 0.3:
            continue
        side["shoot_offs"]["0"] = {
            "arrows": shot, "distances": distances[place] if kind in ("measured", "equal") else [],
            "closer": kind == "marked" and place == 1}  # fmt: skip
    if kind in ("missed", "equal", "maximum"):
        for side in sides:
            side["shoot_offs"]["1"] = {"arrows": some(archers), "distances": [], "closer": False}


def result(sides: list[Any], ends: int, winning: int | None, maximum: str | None,
           forfeits: list[int]) -> dict[str, Any]:  # fmt: skip
    set_points, totals, counted = [0, 0], [0, 0], 0
    progress: dict[str, Any] | None = None
    for end in range(ends):
        shot = [side["ends"].get(str(end)) for side in sides]
        if None in shot:
            nothing = not any(side["ends"] or side["shoot_offs"] for side in sides)
            progress = {"name": "scheduled"} if nothing else {"name": "shooting", "index": end}
            break
        sums = [sum(points(text) for text in arrows) for arrows in shot]
        totals = [totals[0] + sums[0], totals[1] + sums[1]]
        counted += 1
        if winning is None:
            continue
        for side in (0, 1):
            set_points[side] += 1 + (sums[side] > sums[1 - side]) - (sums[side] < sums[1 - side])
        if max(set_points) >= winning:
            progress = decided(set_points[1] >= winning and set_points[0] < winning, "arrows")
            break
    if progress is None and winning is None and totals[0] != totals[1]:
        progress = decided(totals[1] > totals[0], "arrows")
    index = 0
    while progress is None:
        shots = [side["shoot_offs"].get(str(index)) for side in sides]
        if None in shots:
            progress = {"name": "shootOff", "index": index}
            break
        progress = shoot_off(shots, index, maximum)
        if progress and progress["name"] == "decided" and winning is not None:
            set_points[progress["winner"] - 1] += 1
        index += 1
    if forfeits:
        left = [side for side in (1, 2) if side not in forfeits]
        progress = {"name": "decided", "winner": left[0] if left else 0, "decision": "forfeit"}
    return {"set_points": set_points, "totals": totals, "ends_counted": counted, "progress": progress}


def decided(is_second: bool, decision: str) -> dict[str, Any]:
    return {"name": "decided", "winner": 2 if is_second else 1, "decision": decision}


def shoot_off(shots: list[Any], index: int, maximum: str | None) -> dict[str, Any] | None:
    """None: it is shot again."""
    sums = [sum(points(text) for text in shot["arrows"]) for shot in shots]
    if sums[0] != sums[1]:
        return decided(sums[1] > sums[0], "shootOff")
    if sums[0] == 0:
        return None
    every = shots[0]["arrows"] + shots[1]["arrows"]
    if index == 0 and maximum and all(text == "X" or text == maximum for text in every):
        return None
    if shots[0]["closer"] != shots[1]["closer"]:
        return decided(shots[1]["closer"], "judgesMark")
    if not shots[0]["distances"] or not shots[1]["distances"]:
        return {"name": "measuring", "index": index}
    left, right = sorted(shots[0]["distances"]), sorted(shots[1]["distances"])
    return None if left == right else decided(right < left, "distance")


def ends(dice: random.Random) -> list[Any]:
    made: list[Any] = []
    for _ in range(40):
        first = [dice.choice(["X", "10", "10", "9", "M"]) for _ in range(dice.randrange(4))]
        second = dice.sample(first, len(first))
        if dice.random() < 0.5 and second:
            second[0] = dice.choice(["X", "10", "8"])
        if dice.random() < 0.1:
            second.append("M")
        order = ["X", "11", *[str(value) for value in range(10, 0, -1)], "M"]
        made.append({"first": first, "second": second, "agrees": sorted(first) == sorted(second),
                     "highest_first": sorted(first, key=order.index)})  # fmt: skip
    return made


def verdicts() -> list[Any]:
    """What leaves the outbox, what waits, and what needs a person."""
    states = {"STORED": "stored", "SAME": "stored", "NOT_YET": "waiting", "LATE": "late",
              "CONFLICT": "conflict", "REFUSED": "refused", "UNSPECIFIED": "refused"}  # fmt: skip
    verdict = ["UNSPECIFIED", "STORED", "SAME", "LATE", "NOT_YET", "CONFLICT", "REFUSED"]
    match_verdict = ["UNSPECIFIED", "STORED", "SAME", "CONFLICT", "REFUSED", "NOT_YET"]
    kinds = [("arrow", "VERDICT_", verdict), ("end", "VERDICT_", verdict),
             ("match", "MATCH_VERDICT_", match_verdict)]  # fmt: skip
    return [{"kind": kind, "verdict": prefix + name, "number": number, "state": states[name]}
            for kind, prefix, names in kinds for number, name in enumerate(names)
            if kind != "end" or name != "LATE"]  # fmt: skip


def made() -> dict[str, str]:
    dice = random.Random(SEED)
    parts = {"faces": faces(dice), "formats": formats(), "cards": cards(dice), "turns": turns(dice),
             "matches": matches(dice), "ends": ends(dice), "verdicts": verdicts()}  # fmt: skip
    return {
        f"{name}.json": "[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in part) + "\n]\n"
        for name, part in parts.items()
    }


def main(arguments: list[str]) -> int:
    if arguments == ["write"]:
        for name, text in made().items():
            (FOLDER / name).write_text(text)
        return 0
    if arguments == ["check"]:
        wrong = [name for name, text in made().items()
                 if not (FOLDER / name).exists() or (FOLDER / name).read_text() != text]  # fmt: skip
        if wrong:
            print(f"not as made: {', '.join(wrong)}", file=sys.stderr)
        return 1 if wrong else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
