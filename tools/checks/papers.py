"""Makes an event over the command line, prints its papers with Chromium and reads them back.

usage: papers.py QUIVER FOLDER
"""

import csv
import io
import json
import os
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

NAMES = [
    "Ann Archer", "Ζωή Παπαδοπούλου", "Ольга Лучникова", "ليلى القوس", "李娜", "Zoë Žižková",
    "<script>document.title='x'</script>", "a\u202ecba\u202c & \"b\"",
]
PAPERS = ["start-list", "target-list", "score-cards", "standings", "brackets", "results"]
# From the standings: before the cut.
WINNERS = ["medals", "diplomas"]

quiver, folder = sys.argv[1:]


def run(*words, stdin=None):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, input=stdin,
                          timeout=120)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-2000:]!r}")
    return done.stdout


def event(*words, **options):
    return run(quiver, "event", *words, **options).decode()


def make():
    """An event whose entries were drawn and partly shot: its id, and a category."""
    made = json.loads(run(quiver, "tournament", "create", "Πρωτάθλημα 射箭 <b>Cup</b>",
                          "--round", "wa18", "--arrows", "3", "--json"))
    tournament = made["id"]
    line = json.loads(event("session", tournament, "утро", "--first", "1", "--last", "4",
                            "--archers", "4", "--in", "1h", "--json"))["id"]
    rows = io.StringIO()
    writer = csv.writer(rows)
    writer.writerow(["bib", "name", "club", "session"])
    for number, name in enumerate(NAMES):
        writer.writerow([number + 1, name, f"Club {number % 3}", line])
    event("import", tournament, "-", stdin=rows.getvalue().encode())
    event("draw", tournament, line, "random", "--seed", "7")
    run(quiver, "tournament", "start", tournament)
    entries = json.loads(event("entries", tournament, "--json"))["entries"]
    for place, entry in enumerate(entries):
        run(quiver, "tournament", "end", entry["participantId"], "1",
            *(["10", "10", "9"] if place == 0 else [str(10 - place % 9)] * 3))
    return tournament, entries[0]["categoryId"]


def shown(text):
    """A text as it can be found in what pdftotext prints, in any order of lines."""
    kept = (c for c in text if unicodedata.category(c) not in ("Cf", "Cc"))
    return "".join(unicodedata.normalize("NFKC", "".join(kept)).split())


def chromium(profile, *arguments):
    return run("chromium", "--headless", "--no-sandbox", "--disable-gpu",
               "--disable-dev-shm-usage", f"--user-data-dir={folder}/{profile}", *arguments)


def check(tournament, paper):
    page, printed = f"{folder}/{paper}.html", f"{folder}/{paper}.pdf"
    event("paper", tournament, paper, page)
    chromium(paper, "--no-pdf-header-footer", f"--print-to-pdf={printed}", "file://" + page)
    text = run("pdftotext", "-layout", printed, "-").decode()
    found = shown(text)
    for name in NAMES:
        # A right-to-left name may come in the order in which it is drawn.
        wanted = [shown(name), shown(name)[::-1]]
        words = [shown(word) for word in name.split()]
        words_found = all(w in found or w[::-1] in found for w in words)
        # The first archer alone shot 10 10 9.
        if paper in WINNERS and name != NAMES[0]:
            continue
        if not (any(w in found for w in wanted) or words_found):
            sys.exit(f"{paper} has not {name!r}:\n{text}")
    if shown("Πρωτάθλημα 射箭 <b>Cup</b>") not in found:
        sys.exit(f"{paper} has not the name of the event:\n{text}")
    pages = text.count("\f")
    if paper == "score-cards" and pages != len(NAMES):
        sys.exit(f"{len(NAMES)} score cards have {pages} pages")
    return f"{paper}: {pages} pages"


def check_code(tournament):
    """The QR codes of the first score cards, read from a picture."""
    picture = f"{folder}/cards.png"
    chromium("picture", "--window-size=900,1200", f"--screenshot={picture}",
             f"file://{folder}/score-cards.html")
    codes = run("zbarimg", "--quiet", "--raw", picture).decode().split()
    if not codes or not all(c.startswith(f"quiver:event/{tournament}/session/") for c in codes):
        sys.exit(f"the codes of the score cards are {codes}")
    return f"codes: {codes[0]}"


def main():
    tournament, category = make()
    with ThreadPoolExecutor(max_workers=2) as pool:
        for line in pool.map(lambda paper: check(tournament, paper), WINNERS):
            print(line)
        event("cut", tournament, category, str(len(NAMES)), "individual-sets", "--seed", "1")
        for line in pool.map(lambda paper: check(tournament, paper), PAPERS):
            print(line)
    print(check_code(tournament))


main()
