"""Builds the package; the messages and stubs are generated from Protos/ on the way."""

import pathlib
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from generate import generate  # noqa: E402


class BuildWithMessages(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            generate(pathlib.Path(self.build_lib).resolve())


setup(cmdclass={"build_py": BuildWithMessages})
