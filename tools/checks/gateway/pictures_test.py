"""Pictures of the board in Chromium, compared with those in the folder `pictures`.

QUIVER_PICTURES=write makes them anew; look at them before they are committed. Text is drawn by the
fonts of fonts.conf; another version of Chromium may draw a small part of the pixels otherwise (see
DIFFERENT_PIXELS)."""

from __future__ import annotations

import io
import os
import pathlib

from PIL import Image, ImageChops
import kit
from playwright.sync_api import expect

from board_test import BoardBase

FOLDER = pathlib.Path(__file__).parent / "pictures"
# A pixel differs where a channel does by more than this, of 255.
CHANNEL_DIFFERENCE = 40
# Pictures are compared by squares of this side, so that a digit that is missing counts however
# large the picture is.
SQUARE = 40
# The part of the pixels of a square that may differ: the edges of glyphs that another version draws
# otherwise.
DIFFERENT_PIXELS = 0.05

NAMES = ["Ann Archer", "Ben Bowman", "Cleo Clout", "Zoë O’Neill-Müller", "Dirk Drawlength"]
ENDS = {
    0: [(10, 10, 9), (10, 9, 9), (10, 10, 10)],
    1: [(10, 9, 9), (10, 10, 9), (9, 9, 9)],
    2: [(10, 10, 9), (10, 9, 9), (10, 10, 8)],
    3: [(7, 6, 0), (9, 9, 8)],
    4: [(10, 10, 9)],
}  # fmt: skip


def difference(one: Image.Image, other: Image.Image) -> float:
    """The largest part of pixels of a square that differ; 1 where the sizes do."""
    if one.size != other.size:
        return 1
    channels = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).split()
    masks = [channel.point(lambda value: 255 if value > CHANNEL_DIFFERENCE else 0)
             for channel in channels]  # fmt: skip
    mask = ImageChops.lighter(ImageChops.lighter(masks[0], masks[1]), masks[2])
    parts = []
    for left in range(0, one.width, SQUARE):
        for top in range(0, one.height, SQUARE):
            square = mask.crop((left, top, left + SQUARE, top + SQUARE))
            parts.append(square.histogram()[255] / SQUARE**2)
    return max(parts)


class PictureTests(BoardBase):
    names = NAMES
    event_name = "Autumn Round"

    def shot(self, query: str = "", size: tuple[int, int] = (1280, 720), scheme: str = "light",
             media: str = "screen") -> Image.Image:  # fmt: skip
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(color_scheme=scheme, media=media)
        self.open(query)
        expect(self.page.locator("tbody tr").first.locator(".total")).to_have_text("87")
        self.page.mouse.move(0, 0)
        # Texts that were moved by a part of a pixel are drawn anew, at their last place.
        self.page.evaluate("() => { const style = document.body.style; style.display = 'none';"
                           " document.body.offsetHeight; style.display = ''; }")
        return Image.open(io.BytesIO(self.page.screenshot(animations="disabled")))

    def score(self) -> None:
        for end in range(3):
            for number, ends in ENDS.items():
                if end < len(ends):
                    self.shoot(self.guests[number], *ends[end])

    def compare(self, name: str, picture: Image.Image) -> None:
        path = FOLDER / f"{name}.png"
        if os.environ.get("QUIVER_PICTURES") == "write":
            picture.convert("RGB").quantize(64).save(path, optimize=True)
        part = difference(Image.open(path), picture)
        if part > DIFFERENT_PIXELS:
            seen = f"{self.running.folder}/{name}.png"
            picture.save(seen)
            self.fail(f"{part:.1%} of a square of {name} differ from {path}; see {seen}")

    def test_five_pictures_are_as_they_were(self) -> None:
        self.score()
        pictures = {
            "television": self.shot(size=(1920, 1080)),
            "dark": self.shot(scheme="dark"),
            "phone": self.shot(size=(390, 844)),
            "chosen-german": self.shot(f"?lang=de&archer={self.guests[3]['id']}"),
            "print": self.shot(media="print"),
        }
        for name, picture in pictures.items():
            with self.subTest(name):
                self.compare(name, picture)

    def test_pictures_that_differ_are_found(self) -> None:
        self.score()
        before = self.shot()
        self.assertEqual(difference(before, before), 0)
        self.assertGreater(difference(before, self.shot("?lang=de")), DIFFERENT_PIXELS)
        self.assertGreater(difference(before, self.shot(scheme="dark")), DIFFERENT_PIXELS)
        chosen = self.shot(f"?archer={self.guests[3]['id']}")
        self.assertGreater(difference(before, chosen), DIFFERENT_PIXELS)
        self.page.evaluate(
            "() => { document.querySelector('tbody .count').textContent = '1'; }")
        changed = Image.open(io.BytesIO(self.page.screenshot(animations="disabled")))
        self.assertGreater(difference(chosen, changed), DIFFERENT_PIXELS)


if __name__ == "__main__":
    kit.main()
