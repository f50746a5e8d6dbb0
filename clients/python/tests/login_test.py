"""Which server and token a client uses: an argument, the environment, or a context of `quiver login`."""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

import quiver
import quiver.sync
from quiver import RPCError, StatusCode
from quiver._login import LARGEST_FILE, find_login

from server import PROGRAMS, Server

LOGINS = pathlib.Path(__file__).resolve().parents[2] / "logins"
VARIABLES = ("QUIVER_SERVER", "QUIVER_CONTEXT", "QUIVER_TOKEN_FILE", "QUIVER_CA")


class RuleTests(unittest.TestCase):
    def test_the_cases_of_all_clients(self) -> None:
        count = 0
        for line in (LOGINS / "cases.txt").read_text().splitlines():
            if line.startswith("#") or not line:
                continue
            words = [None if word == "-" else word for word in line.split("\t")]
            environment = {
                name: word for name, word in zip(VARIABLES, words[3:7], strict=True) if word
            }
            environment["XDG_CONFIG_HOME"] = str(LOGINS)
            with self.subTest(line):
                count += 1
                server, context, token_file = words[:3]
                if words[7] == "!":
                    with self.assertRaisesRegex(ValueError, str(words[8])):
                        find_login(server, context, token_file is not None, environment)
                    continue
                login = find_login(server, context, token_file is not None, environment)
                found = [login.server, token_file or login.token_file, login.authorities]
                self.assertEqual(found, words[7:])
        self.assertGreater(count, 15)

    def test_the_certificate_and_the_name_of_a_server_are_those_of_its_context(self) -> None:
        login = find_login(None, "away", False, {"XDG_CONFIG_HOME": str(LOGINS)})
        self.assertEqual(login.certificate, "/own.pem")
        self.assertEqual(login.private_key, "/own.key")
        self.assertEqual(login.server_name, "archery.example")

    def test_a_file_that_has_no_contexts_is_refused_and_not_read_where_nothing_is_missing(self) -> None:
        with tempfile.TemporaryDirectory() as home:
            environment = {"HOME": home}
            self.assertEqual(find_login(None, None, False, environment).server, "127.0.0.1:7450")
            folder = pathlib.Path(home, ".config", "quiver")
            folder.mkdir(parents=True)
            file = folder / "contexts.json"
            texts = [
                "", "{", "[]", "null", '{"named":[]}', '{"named":{"a":{}}}', '{"named":{"a":3}}',
                '{"named":{"a":{"server":1,"tokenFile":"x"}}}', '{"current":7,"named":{}}', "[" * 5_000,
                " " * LARGEST_FILE + "{}", '{"named":{"a":{"server":"x"}}}',
            ]  # fmt: skip
            for text in texts:
                file.write_text(text)
                with self.subTest(text[:40]), self.assertRaisesRegex(ValueError, "contexts"):
                    find_login(None, None, False, environment)
                self.assertEqual(find_login("a:1", None, True, environment).server, "a:1")
            file.write_bytes(b'{"named":{"\xff":{}}}')
            with self.assertRaisesRegex(ValueError, "contexts"):
                find_login(None, None, False, environment)
            file.write_text('{"named":{}}')
            self.assertIsNone(find_login(None, None, False, environment).token_file)


class LoginTests(unittest.TestCase):
    def test_a_client_without_arguments_uses_what_quiver_login_stored(self) -> None:
        server = Server()
        self.addCleanup(server.end)
        with tempfile.TemporaryDirectory() as home:
            environment = {
                name: value for name, value in os.environ.items() if not name.startswith("QUIVER")
            }
            environment |= {"HOME": home}
            environment.pop("XDG_CONFIG_HOME", None)
            subprocess.run(
                [str(PROGRAMS / "quiver"), "login", "club", "--server", server.address,
                 "--token-file", server.token_file], env=environment, check=True,
                stdout=subprocess.DEVNULL,
            )  # fmt: skip
            with mock.patch.dict(os.environ, environment, clear=True):
                with quiver.sync.connect() as client:
                    self.assertEqual(client.account.who_am_i().principal.id, 1)
                with quiver.sync.connect(server.address) as client:
                    self.assertEqual(client.account.who_am_i().principal.id, 1)
                with quiver.sync.connect(server.address, token="") as client:
                    with self.assertRaises(RPCError) as refused:
                        client.account.who_am_i()
                    self.assertEqual(refused.exception.code, StatusCode.UNAUTHENTICATED)


if __name__ == "__main__":
    unittest.main()
