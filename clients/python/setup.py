"""Builds the package; the messages and stubs are generated from Protos/ on the way.

A source distribution has Protos/ and LICENSE in itself, so that it can be built away from a checkout.
"""

import pathlib
import shutil
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from generate import PROTOS, generate  # noqa: E402


class BuildWithMessages(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            generate(pathlib.Path(self.build_lib).resolve())


class SdistWithProtos(sdist):
    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        tree = pathlib.Path(base_dir)
        shutil.copytree(PROTOS / "quiver", tree / "Protos" / "quiver", dirs_exist_ok=True)
        shutil.copy(PROTOS.parent / "LICENSE", tree / "LICENSE")


setup(cmdclass={"build_py": BuildWithMessages, "sdist": SdistWithProtos})
