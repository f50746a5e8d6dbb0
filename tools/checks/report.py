#!/usr/bin/env python3
"""Opens HTML reports in headless Chromium and checks how they are shown and printed.

usage: report.py FILE.html…
"""
import json
import os
import re
import subprocess
import sys
import tempfile

# Narrower windows than 500 pixels are not possible in headless Chromium.
WIDTHS = (500, 900, 1400)

# The pages have no script of their own; this one is added to a copy, and reports by an attribute.
PROBE = """
<script>
addEventListener("load", () => {
  const root = document.documentElement;
  const wide = [...document.querySelectorAll("body *")].filter(element =>
    !element.closest("svg *, pre, .wide *") && element.getBoundingClientRect().right > root.clientWidth + 1);
  const outside = [...document.querySelectorAll("svg text")].filter(text => {
    const box = text.getBBox(), view = text.ownerSVGElement.viewBox.baseVal;
    return box.x < -0.5 || box.y < -0.5 || box.x + box.width > view.width + 0.5
      || box.y + box.height > view.height + 0.5;
  });
  const crossing = [...document.querySelectorAll("svg")].flatMap(svg => {
    const texts = [...svg.querySelectorAll("text")];
    return texts.flatMap((one, place) => texts.slice(place + 1).filter(other => {
      const a = one.getBBox(), b = other.getBBox();
      const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      return across > 1 && down > 4;
    }).map(other => one.textContent + " / " + other.textContent));
  });
  root.dataset.probe = JSON.stringify({
    scrollWidth: root.scrollWidth, clientWidth: root.clientWidth,
    wide: wide.map(element => element.outerHTML.slice(0, 100)),
    outside: outside.map(text => text.textContent), crossing,
    open: document.querySelectorAll("details[open]").length,
    details: document.querySelectorAll("details").length,
    pictures: [...document.querySelectorAll("svg")].map(svg => svg.getAttribute("aria-label")),
    titles: [...document.querySelectorAll("svg")].map(svg => svg.querySelector("text")?.textContent),
    broken: [...document.querySelectorAll(".figures td")].filter(cell =>
      cell.textContent.length < 12 && cell.getClientRects().length
      && [...cell.childNodes].some(node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getClientRects().length > 1;
      })).map(cell => cell.textContent),
    heading: document.querySelector("h1")?.textContent,
    verdict: document.querySelector("h1 + .verdict")?.textContent,
  });
});
</script>
"""


def chromium(folder, *arguments):
    run = subprocess.run(
        ["chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         f"--user-data-dir={folder}/profile", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    if run.returncode != 0:
        sys.exit(f"chromium ended with {run.returncode}: {run.stderr[-2000:]}")
    return run.stdout


def probe(folder, path, width):
    with open(path) as file:
        page = file.read()
    copy = os.path.join(folder, f"probe-{width}.html")
    with open(copy, "w") as file:
        file.write(page.replace("</body>", PROBE + "</body>"))
    shown = chromium(
        folder, f"--window-size={width},1000", "--dump-dom", "--virtual-time-budget=2000",
        "file://" + copy)
    found = re.search(r'data-probe="([^"]*)"', shown)
    if not found:
        sys.exit(f"{path}: the page was not shown: {shown[:500]}")
    return json.loads(found.group(1).replace("&quot;", '"').replace("&amp;", "&")
                      .replace("&lt;", "<").replace("&gt;", ">"))


def check(folder, path):
    for width in WIDTHS:
        found = probe(folder, path, width)
        place = f"{os.path.basename(path)} at {width}: "
        assert abs(found["clientWidth"] - width) < 40, place + f"is {found['clientWidth']} wide"
        assert found["scrollWidth"] <= found["clientWidth"], place + f"scrolls: {found['wide']}"
        assert not found["wide"], place + f"too wide: {found['wide']}"
        assert not found["outside"], place + f"outside of pictures: {found['outside']}"
        assert not found["crossing"], place + f"texts over each other: {found['crossing']}"
        assert not found["broken"], place + f"cells on two lines: {found['broken']}"
        assert found["details"] >= 1 and found["open"] == 0, place + "details are not folded"
        assert found["heading"] and found["verdict"], place + "does not begin with the verdict"
        assert len(found["pictures"]) >= 3, place + "lacks pictures"
        assert all(found["pictures"]) and found["pictures"] == found["titles"], place + "titles"
    picture = os.path.join(folder, "page.png")
    chromium(folder, "--window-size=900,1400", f"--screenshot={picture}", "file://" + path)
    assert os.path.getsize(picture) > 10_000, f"{path}: the picture is empty"
    paper = os.path.join(folder, "page.pdf")
    chromium(folder, "--no-pdf-header-footer", f"--print-to-pdf={paper}", "file://" + path)
    with open(paper, "rb") as file:
        document = file.read()
    pages = len(re.findall(rb"/Type\s*/Page\b", document))
    assert document.startswith(b"%PDF-") and 1 <= pages <= 20, f"{path}: prints {pages} pages"
    print(f"{os.path.basename(path)}: shown at {WIDTHS}, prints {pages} pages")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        for name in sys.argv[1:]:
            check(scratch, os.path.abspath(name))
