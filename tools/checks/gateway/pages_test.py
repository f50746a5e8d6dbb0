"""The pages and their files over HTTP, and the page at / in Chromium."""

from __future__ import annotations

import gzip
import http.client
import os
import pathlib
import re
import subprocess
import tempfile
from collections.abc import Iterator

import kit
from playwright.sync_api import Page, expect

from board_test import BoardBase

ROOT = pathlib.Path(__file__).resolve().parents[3]


def plain(module: str) -> str:
    """The lines of a module without their indentation and without what they import and export."""
    text = re.sub(r'^(?:import|export [{*]) ?[^;]*;$', "", module, flags=re.M)
    return "".join(line.strip().removeprefix("export ") + "\n" for line in text.split("\n") if line.strip())


class FileTests(BoardBase):
    def get(self, path: str, **fields: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=20)
        connection.request("GET", path, headers={name.replace("_", "-"): text for name, text in fields.items()})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def version(self) -> str:
        found = re.search(rb'"/pages/([0-9a-f]{16})/', self.get("/")[1])
        assert found is not None
        return found.group(1).decode()

    def test_a_file_that_a_browser_has_is_not_sent_again(self) -> None:
        for path in ("/", "/score", "/board/ABCD", "/client/client.js", "/board/assets/board.js"):
            answer, body = self.get(path)
            tag = answer.getheader("etag") or ""
            self.assertEqual((answer.status, len(body) > 0, tag != ""), (200, True, True), path)
            for known in (tag, f'"other", {tag}'):
                again, rest = self.get(path, if_none_match=known)
                self.assertEqual((again.status, rest), (304, b""), path)
                self.assertEqual(again.getheader("etag"), tag)
                self.assertEqual(again.getheader("cache-control"), "no-cache")
            self.assertEqual(self.get(path, if_none_match='"other"')[0].status, 200)

    def test_a_file_of_a_version_is_kept_for_ever_and_another_version_has_none(self) -> None:
        path = f"/pages/{self.version()}/client/client.js"
        answer, body = self.get(path)
        self.assertEqual(body, self.get("/client/client.js")[1])
        self.assertIn("immutable", answer.getheader("cache-control") or "")
        self.assertEqual(self.get(path.replace(self.version(), "0" * 16))[0].status, 404)

    def test_a_file_is_compressed_for_those_who_can_read_it(self) -> None:
        answer, whole = self.get("/client/client.js")
        self.assertIsNone(answer.getheader("content-encoding"))
        answer, packed = self.get("/client/client.js", accept_encoding="br, gzip")
        self.assertEqual(answer.getheader("content-encoding"), "gzip")
        self.assertEqual(answer.getheader("vary"), "accept-encoding")
        self.assertEqual(gzip.decompress(packed), whole)
        self.assertLess(len(packed), len(whole) // 2)

    def test_what_is_sent_of_a_module_is_its_source_otherwise_without_comments(self) -> None:
        pages, client = ROOT / "Sources/Programs/quiver-gateway/Pages", ROOT / "clients/javascript/src"
        sources = {path.relative_to(pages).as_posix(): path.read_text() for path in pages.rglob("*.js")}
        sources |= {f"client/{path.name}": path.read_text() for path in client.glob("*.js")}
        self.assertGreater(len(sources), 60)
        roots = {re.search(r'type="module" src="/([^"]+)"', page.read_text())[1] for page in pages.glob("*/index.html")}
        sent = {name: self.get("/" + name)[1].decode() for name in sources
                if name in roots or name.startswith("client/") or name.endswith("/worker.js")}  # fmt: skip
        # The first line of a worker is the gateway's.
        sent |= {name: sent[name].split("\n", 1)[1] for name in sent if name.endswith("/worker.js")}
        made = {}
        with tempfile.TemporaryDirectory() as folder:
            # What a compiler makes of both, which knows what a comment is.
            for kind, texts in (("source", sources), ("sent", sent)):
                for name, content in texts.items():
                    place = pathlib.Path(folder, kind, name)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(content)
                subprocess.run(["tsc", "--allowJs", "--noResolve", "--removeComments", "--target", "es2022", "--module", "es2022", "--moduleDetection", "force",
                                "--rootDir", f"{folder}/{kind}", "--outDir", f"{folder}/made/{kind}",
                                *(str(pathlib.Path(folder, kind, name)) for name in texts)], check=True, timeout=300)  # fmt: skip
                made[kind] = {name: pathlib.Path(folder, "made", kind, name).read_text() for name in texts}
        bundled = set()
        for name, content in made["sent"].items():
            if name not in roots:
                self.assertEqual(content, made["source"][name], name)
                continue
            # The module of a page has all that it imports, each in a block of its own, once.
            whole = plain(content)
            waiting, found = [name], set()
            while waiting:
                module = waiting.pop()
                if module in found:
                    continue
                found.add(module)
                text = made["source"][module]
                waiting += [os.path.normpath(os.path.join(os.path.dirname(module), other))
                            for other in re.findall(r'^(?:import|export [{*])[^;]*?"([^"]+)";$', text, re.M)]  # fmt: skip
                # One that only passes on what others export has no lines of its own.
                self.assertTrue(plain(text) == "" or whole.count(plain(text)) == 1, f"{module} in {name}")
            self.assertEqual(len(re.findall(r"^\$module\d+ = \{", content.replace("    $", "$"), re.M)), len(found), name)
            bundled |= found
        self.assertEqual({name for name in sources if not name.startswith("client/")} - bundled,
                         {name for name in sources if name.endswith("/worker.js")})  # fmt: skip
        shared = [name for name in sent if name.startswith("client/")]
        self.assertGreater(sum(len(sources[name]) - len(sent[name]) for name in shared), 50_000)

    def test_the_first_load_of_every_page_is_small(self) -> None:
        seen = set()
        for path in ("/", "/score", f"/board/{self.event['joinCode']}", "/desk", "/judge", "/check-in", "/me"):
            sizes = {path: self.sent(path)}
            # A browser asks for these at once; nothing else is loaded before somebody does something.
            files = set(re.findall(r'="(/pages/[^"]+)"', self.get(path)[1].decode()))
            sizes |= {file: self.sent(file) for file in files}
            seen |= {file.split("/")[3] for file in files if file.endswith(".js")}
            print(f"{path} has {sum(sizes.values())} bytes in {len(sizes)} files, with the fields of HTTP")
            self.assertLess(sum(sizes.values()), kit.MOST_PAGE_BYTES, sorted(sizes.items(), key=lambda one: -one[1]))
            self.assertGreater(len(sizes), 2, path)
        folders = {folder.name for folder in (ROOT / "Sources/Programs/quiver-gateway/Pages").iterdir()}
        self.assertEqual(seen, folders, "a page that nothing measures")

    def sent(self, path: str) -> int:
        """The bytes of an answer, with its fields, for those who can read compressed ones."""
        answer, body = self.get(path, accept_encoding="gzip")
        self.assertEqual(answer.status, 200, path)
        status = f"HTTP/1.1 {answer.status} {answer.reason}\r\n"
        return len(body) + len(status + "".join(f"{name}: {text}\r\n" for name, text in answer.getheaders()) + "\r\n")

    def test_head_is_answered_without_a_body(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=20)
        connection.request("HEAD", "/score")
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.read()), (200, b""))
        self.assertEqual(int(answer.getheader("content-length") or 0), len(self.get("/score")[1]))
        connection.close()

    def test_the_script_of_a_service_worker_names_the_files_of_its_page_and_may_serve_the_page(self) -> None:
        answer, body = self.get("/score/worker.js", service_worker="script")
        self.assertEqual(answer.getheader("service-worker-allowed"), "/score")
        self.assertEqual(answer.getheader("cache-control"), "no-cache")
        self.assertEqual(answer.getheader("content-security-policy"), "default-src 'none'; connect-src 'self'")
        first, _, _ = body.partition(b"\n")
        self.assertTrue(first.startswith(b'self.quiver={version:"' + self.version().encode()), first)
        files = re.findall(r'"(/pages/[^"]+)"', first.decode())
        self.assertEqual(sorted(path.split("/")[-1] for path in files),
                         ["score.css", "score.js", "score.webmanifest", "score_icon.svg"])  # fmt: skip
        for path in files:
            self.assertEqual(self.get(path)[0].status, 200, path)
        self.assertIsNone(self.get("/score/worker.js")[0].getheader("service-worker-allowed"))

    def test_other_paths_are_answered_with_a_sentence(self) -> None:
        for path in ("/scores", "/score/none.js", "/client/", "/client/../home/home.js", "/pages/"):
            answer, body = self.get(path)
            self.assertEqual((answer.status, body), (404, b"this path does not exist\n"), path)


class HomeTests(BoardBase):
    def setUp(self) -> None:
        super().setUp()
        self.faults: list[str] = []
        self.page = self.opened()

    def tearDown(self) -> None:
        self.page.context.close()
        self.assertEqual(self.faults, [])

    def opened(self, language: str = "en-GB", width: int = 390) -> Page:
        context = self.browser.new_context(locale=language, viewport={"width": width, "height": 700})
        page = context.new_page()
        page.on("console", lambda said: self.note(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(f"http://{self.running.address}/")
        return page

    def note(self, text: str) -> None:
        """What a call answers with an error is no fault of the page."""
        if "Failed to load resource" not in text:
            self.faults.append(text)

    def submit(self, code: str) -> None:
        self.page.fill("#code", code)
        self.page.click("#go")

    def test_the_code_of_an_event_leads_to_its_board(self) -> None:
        self.submit(self.event["joinCode"].lower().replace("-", " "))
        expect(self.page.locator("h1")).to_have_text(self.event_name)
        self.assertIn("/board/", self.page.url)

    def test_the_code_of_a_private_event_leads_to_its_board_which_says_so(self) -> None:
        event = self.call(
            "Tournament/CreateTournament", name="Private", format={"codename": "wa18"})
        self.submit(event["joinCode"])
        expect(self.page.locator("#state")).to_contain_text("This event is private")

    def test_another_code_leads_to_the_score_page(self) -> None:
        self.submit("0123-4567-89AB-CDEF")
        self.page.wait_for_url("**/score*")
        self.assertEqual(self.page.url.split("/")[-1].split("#")[0], "score")

    def test_a_whole_address_can_be_pasted(self) -> None:
        for address in ("https://club.example/board/{}", "http://10.0.0.5:7480/board/{}?lang=de",
                        "https://club.example/score#{}"):
            self.page.goto(f"http://{self.running.address}/")
            self.submit(address.format(self.event["joinCode"]))
            self.page.wait_for_url("**/board/*")

    def test_what_is_no_code_is_answered_with_a_sentence(self) -> None:
        fault = self.page.locator("#fault")
        self.submit("")
        expect(fault).to_have_text("Type the code first.")
        self.submit("ABC")
        expect(fault).to_have_text("A code has 16 letters and digits; this one has 3.")
        self.submit("<b>ABCDEFGHIJ</b>")
        expect(fault).to_contain_text("A code has 16 letters and digits")
        self.assertEqual(self.page.url, f"http://{self.running.address}/")

    def test_a_server_that_does_not_answer_is_told_apart_from_a_wrong_code(self) -> None:
        self.page.route("**/quiver.v1.*/*", lambda route: route.abort())
        self.submit(self.event["joinCode"])
        expect(self.page.locator("#fault")).to_contain_text("The server does not answer")
        expect(self.page.locator("#go")).to_be_enabled()

    def test_the_page_speaks_four_languages_and_fits_a_small_phone(self) -> None:
        seen = set()
        for language, page in self.in_languages():
            expect(page.locator("html")).to_have_attribute("lang", language)
            texts = page.locator("main").inner_text()
            self.assertNotIn("undefined", texts)
            self.assertNotIn("{", texts)
            seen.add(texts)
            widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            self.assertLessEqual(widths[0], widths[1], language)
            page.context.close()
        self.assertEqual(len(seen), 4)

    def test_axe_finds_nothing_and_the_page_fits_its_screens(self) -> None:
        faults = ""
        for width, height, scheme in ((1280, 720, "light"), (1280, 720, "dark"), (390, 844, "light"), (320, 568, "dark")):
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            self.submit("ABC")
            expect(self.page.locator("#fault")).to_contain_text("16 letters")
            faults += kit.look(self.page, "home", f"{width}-{scheme}")
        self.assertEqual(faults, "")

    def in_languages(self) -> Iterator[tuple[str, Page]]:
        for language in ("en", "de", "fr", "it"):
            yield language, self.opened(language, width=320)

    def test_the_page_is_used_by_the_keyboard_alone(self) -> None:
        expect(self.page.locator("#code")).to_be_focused()
        self.page.keyboard.type(self.event["joinCode"])
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**/board/*")


if __name__ == "__main__":
    kit.main()
