"""Runs each line of a page that begins with `quiver`, against a server with --web, and scans its papers.

usage: event-day.py PAGE"""

from __future__ import annotations

import csv
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request

from running import PROGRAMS, free_port, kept_of, scanned, wait_until

ARCHERS, TARGETS = 60, 15


def network_address() -> str:
    """The address of this machine in its network: nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]


class Secretary:
    def __init__(self, folder: str) -> None:
        self.folder = pathlib.Path(folder)
        self.address = f"http://{network_address()}:{free_port()}"
        self.socket = f"unix:{folder}/socket"
        with open(self.folder / "log", "wb") as log:
            self.server = subprocess.Popen(
                [str(PROGRAMS / "quiverd"), "--init", "--data", f"{folder}/data", "--listen", self.socket,
                 "--web", self.address.removeprefix("http://")], stdout=subprocess.DEVNULL, stderr=log)  # fmt: skip
        if not wait_until(lambda: " event=web-serving" in self.log(), 60):
            sys.exit(f"no page is served:\n{self.log()}")

    def log(self) -> str:
        return (self.folder / "log").read_text()

    def quiver(self, *words: str, text: str | None = None) -> str:
        environment = {**os.environ, "QUIVER_SERVER": self.socket, "HOME": str(self.folder)}
        for name in ("QUIVER_TOKEN_FILE", "QUIVER_CONTEXT", "XDG_CONFIG_HOME"):
            environment.pop(name, None)
        done = subprocess.run([str(PROGRAMS / "quiver"), *words], env=environment, cwd=self.folder, timeout=300,
                              input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
        if done.returncode != 0:
            sys.exit(f"quiver {shlex.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def write_archers(self) -> None:
        with open(self.folder / "archers.csv", "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["bib", "name", "club"])
            for number in range(1, ARCHERS + 1):
                rows.writerow([number, f"Archer {number}", f"Club {number % 5}"])

    def score(self) -> None:
        """One end of each archer, from the laptop, which is no device: pages have checks of their own."""
        self.quiver("event", "lease", "1")
        self.quiver("tournament", "score", "1", text="".join(f"n {bib}\n10 9 9\n" for bib in range(1, ARCHERS + 1)))

    def printed(self, name: str) -> tuple[int, list[str]]:
        """The number of pages of a paper that Chromium prints, and the QR codes on them."""
        paper, pictures = self.folder / f"{name}.pdf", self.folder / name
        subprocess.run(
            ["chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             f"--user-data-dir={self.folder}/profile", "--no-pdf-header-footer", f"--print-to-pdf={paper}",
             f"file://{self.folder}/{name}.html"], check=True, timeout=120, stderr=subprocess.DEVNULL)  # fmt: skip
        pictures.mkdir()
        subprocess.run(["pdftoppm", "-r", "110", "-gray", str(paper), str(pictures / "page")], check=True, timeout=120)
        pages = sorted(pictures.iterdir())
        codes = subprocess.run(["zbarimg", "--quiet", "--raw", *map(str, pages)], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, timeout=300, check=False).stdout.split()  # fmt: skip
        return len(pages), codes

    def end(self) -> None:
        self.server.terminate()
        if self.server.wait(60) != 0:
            sys.exit(f"quiverd ended badly:\n{self.log()}")
        if kept := kept_of(self.log()):
            sys.exit(f"the gateway of quiverd --web: {kept}")


def commands(page: str) -> list[list[str]]:
    lines = re.findall(r"^ {4,}(quiver .*)$", pathlib.Path(page).read_text(), re.MULTILINE)
    inline = re.findall(r"`(quiver board [^`]*)`", pathlib.Path(page).read_text())
    return [shlex.split(line)[1:] for line in lines] + [shlex.split(line)[1:] for line in inline]


def expect(holds: bool, sentence: str) -> None:
    if not holds:
        sys.exit(sentence)


def main() -> None:
    folder = tempfile.mkdtemp(prefix="quiver-event-day")
    secretary = Secretary(folder)
    try:
        secretary.write_archers()
        code, known = "", []
        for words in commands(sys.argv[1]):
            words = [secretary.address if word == "ADDRESS" else code if word == "CODE" else word for word in words]
            if words[:2] == ["tournament", "create"]:
                # One end is enough to see that the event ends.
                code = re.search(r"code ([0-9A-Z-]+)", secretary.quiver(*words, "--arrows", "3")).group(1)
                continue
            if words[:2] == ["event", "finalise"]:
                known = json.loads(secretary.quiver("event", "codes", "1", "1", "--json"))["codes"]
                secretary.score()
            printed = secretary.quiver(*words)
            print("quiver", shlex.join(words))
            if "--practice" in words:
                table, *pictures = re.split(r"\nTarget \d+\n", printed)
                practised = [line.split()[-1] for line in table.splitlines()[1:]]
                expect(len(practised) == 2, f"the practice has {len(practised)} targets")
                read = [scanned(picture) for picture in pictures]
                expect(read == practised, f"the codes of the practice lead to {read}, not to {practised}")
        links = {f"{secretary.address}/score#{target['code']}" for target in known}
        expect(len(links) == TARGETS, f"{TARGETS} targets have {len(links)} codes")
        pages, codes = secretary.printed("plates")
        expect(pages == TARGETS, f"the plates of {TARGETS} targets have {pages} pages")
        expect(set(codes) == links, f"the plates have {sorted(set(codes) ^ links)}, or not")
        pages, codes = secretary.printed("cards")
        expect(pages == ARCHERS, f"{ARCHERS} score cards have {pages} pages")
        expect(len(codes) == ARCHERS and set(codes) == links, f"the score cards have {len(codes)} codes: {codes[:3]}")
        with urllib.request.urlopen(codes[0].split("#")[0], timeout=20) as page:
            expect(page.status == 200 and "text/html" in page.headers["content-type"], "the score page is not served")
        print(f"{len(links)} codes on {TARGETS} plates and {ARCHERS} cards lead to the score page")
        secretary.end()
    finally:
        if secretary.server.poll() is None:
            secretary.server.kill()
            secretary.server.wait()
        shutil.rmtree(folder, ignore_errors=True)


main()
