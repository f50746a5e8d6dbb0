#!/usr/bin/env bash
# Two setups compared with each other over sample rounds: the table, the verdict and the picture.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
serve

python3 "$root/Tests/Fixtures/comparison/load.py" "$QUIVER_PROGRAMS/quiver" >&2

quiver compare "Club bow" "New limbs" --range 30d --plot "$data/compare.svg" >"$data/printed"
expect '^ +Club bow +New limbs +B - A$'
expect '^rounds +8 +7$'
expect '^arrows +240 +210 +-30$'
expect '^average score +[0-9.]+ +[0-9.]+ +\+[0-9.]+ +B better$'
expect '^accuracy, % .* B better$'
expect '^handicap +[0-9.]+ +[0-9.]+$'
expect '^drift at 40 cm, % of radius +-[0-9.]+, .* \+[0-9.]+, '
expect '^Average score: "New limbs" is better by [0-9.]+ points per arrow \(B minus A, 95 % interval \+'
expect '^Handicap: "New limbs" is better by [0-9.]+ points of handicap \('
expect '^Place at 40 cm: They shoot to different places\.$'

quiver compare "New limbs" "Club bow" --range 7d >"$data/printed"
expect '^Average score: Too little data: each side needs 5 rounds; "New limbs" has 2, "Club bow" has 2\.'

python3 - "$data/compare.svg" <<'PYTHON'
import collections
import sys
import xml.etree.ElementTree as tree

svg = "{http://www.w3.org/2000/svg}"
picture = tree.parse(sys.argv[1]).getroot()
assert picture.tag == svg + "svg", picture.tag
shots = collections.Counter(
    c.get("fill") for c in picture.iter(svg + "circle") if c.get("fill-opacity"))
assert sorted(shots.values()) == [210, 240], shots
# One that holds half of a group, and one that holds 95 % of it.
ellipses = collections.Counter(e.get("stroke") for e in picture.iter(svg + "ellipse"))
assert set(ellipses) == set(shots) and set(ellipses.values()) == {2}, ellipses
texts = [t.text for t in picture.iter(svg + "text")]
assert "Club bow: 8 rounds, 240 arrows" in texts, texts
PYTHON

quiver handicap score wa720_70 40 >"$data/printed"
expect '^handicap 40 is 530 of 720 in WA 70m$'
quiver handicap of wa720_70 500 >"$data/printed"
expect '^500 of 720 in WA 70m is handicap 44$'
quiver admin verify >"$data/printed"
expect '^rollups +ok$'
end_server
