"""Makes an event over the command line, prints its papers with Chromium and reads them back: each page has the name of the
event and its number, in four languages; two and four score cards are on a page, and QR codes are read from pictures.

usage: papers.py QUIVER FOLDER

QUIVER_SCREENS=FOLDER stores pictures of the pages there.
"""

import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

NAMES = [
    "Ann Archer", "Ζωή Παπαδοπούλου", "Ольга Лучникова", "ليلى القوس", "李娜", "Zoë Žižková",
    "<script>document.title='x'</script>", "a\u202ecba\u202c & \"b\"",
]
PAPERS = ["start-list", "target-list", "score-cards", "standings", "brackets", "results"]
EVENT = "Πρωτάθλημα 射箭 <b>Cup</b>"
PAGE = {"en": "Page", "de": "Seite", "fr": "Page", "it": "Pagina"}
SCREENS = os.environ.get("QUIVER_SCREENS", "")
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
    made = json.loads(run(quiver, "tournament", "create", EVENT,
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
    return run("chromium-headless-shell", "--no-sandbox", "--disable-gpu",
               "--disable-dev-shm-usage", f"--user-data-dir={folder}/{profile}", *arguments)


def printed(page, language="en"):
    """The PDF of a page of HTML and its text, after a look at the foot of each of its pages."""
    name = os.path.basename(page)[:-5]
    pdf = f"{folder}/{name}.pdf"
    chromium(name, "--no-pdf-header-footer", f"--print-to-pdf={pdf}", "file://" + page)
    text = run("pdftotext", "-layout", pdf, "-").decode()
    pages = text.split("\f")[:-1]
    for number, one in enumerate(pages, 1):
        foot = shown(f"{PAGE[language]} {number} / {len(pages)}")
        if foot not in shown(one):
            sys.exit(f"page {number} of {name} has no {foot!r}:\n{one}")
        if shown(EVENT) not in shown(one):
            sys.exit(f"page {number} of {name} has not the name of the event:\n{one}")
    if SCREENS:
        run("pdftoppm", "-r", "60", "-png", pdf, f"{SCREENS}/{name}")
    return pdf, text


def check(tournament, paper):
    page = f"{folder}/{paper}.html"
    event("paper", tournament, paper, page)
    _, text = printed(page)
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
    if shown(EVENT) not in found:
        sys.exit(f"{paper} has not the name of the event:\n{text}")
    pages = text.count("\f")
    if paper == "score-cards" and pages != len(NAMES):
        sys.exit(f"{len(NAMES)} score cards have {pages} pages")
    return f"{paper}: {pages} pages"


def check_cards(tournament):
    """Two and four cards on a page, with all names, and codes that can be read from what is printed."""
    lines = []
    for count in (2, 4):
        page = f"{folder}/cards-{count}.html"
        event("paper", tournament, "score-cards", page, "--cards", str(count), "--language", "de")
        pdf, text = printed(page, "de")
        pages = text.count("\f")
        if pages != -(-len(NAMES) // count):
            sys.exit(f"{len(NAMES)} cards, {count} on a page, have {pages} pages")
        found = shown(text)
        for name in NAMES:
            if not all(shown(word) in found or shown(word)[::-1] in found for word in name.split()):
                sys.exit(f"the cards have not {name!r}:\n{text}")
        # All ends of all cards, and both signatures.
        if len(re.findall("Schreiber", text)) != len(NAMES):
            sys.exit(f"a card has lost its end:\n{text}")
        picture = f"{folder}/cards-{count}"
        run("pdftoppm", "-r", "150", "-png", pdf, picture)
        codes = [code for one in sorted(pathlib.Path(folder).glob(f"cards-{count}-*.png"))
                 for code in run("zbarimg", "--quiet", "--raw", str(one)).decode().split()]
        if len(codes) != len(NAMES):
            sys.exit(f"{len(codes)} codes are read of {len(NAMES)} cards")
        lines.append(f"{count} cards on a page: {pages} pages, {len(codes)} codes")
    return lines


def check_languages(tournament):
    words = {"de": "Startliste", "fr": "Liste de départ", "it": "Lista di partenza"}
    for language, word in words.items():
        page = f"{folder}/list-{language}.html"
        event("paper", tournament, "start-list", page, "--language", language)
        _, text = printed(page, language)
        if shown(word) not in shown(text) or "Club 1" not in text:
            sys.exit(f"the list in {language} has not {word!r}, or no clubs:\n{text}")
    return f"languages: {', '.join(words)}"


def check_plates(tournament):
    """A plate for each target, whose printed code leads to the score page."""
    event("lease", tournament, "--on")
    session = json.loads(event("sessions", tournament, "--json"))["sessions"][0]["id"]
    page = f"{folder}/plates.html"
    event("plates", tournament, session, page, "--address", "http://192.168.1.20:7480")
    pdf, text = printed(page)
    run("pdftoppm", "-r", "100", "-png", pdf, f"{folder}/plates")
    codes = [run("zbarimg", "--quiet", "--raw", str(one)).decode().strip()
             for one in sorted(pathlib.Path(folder).glob("plates-*.png"))]
    if len(codes) != 4 or not all(re.fullmatch(r"http://192\.168\.1\.20:7480/score#[\w-]+", code) for code in codes):
        sys.exit(f"the codes of the plates are {codes}")
    return f"plates: {text.count(chr(12))} pages"


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
    for line in check_cards(tournament):
        print(line)
    print(check_languages(tournament))
    print(check_plates(tournament))
    refused = subprocess.run([quiver, "event", "paper", tournament, "medals", f"{folder}/x.pdf"],
                             stderr=subprocess.PIPE, timeout=60)
    if refused.returncode != 64 or b"print it in a browser" not in refused.stderr or os.path.exists(f"{folder}/x.pdf"):
        sys.exit(f"a paper that is called PDF ended with {refused.returncode}: {refused.stderr!r}")


main()
