"""Draw the images that Home Assistant shows for SAGE, from its icons: logos, and dark variants.

Run `.venv/bin/python -m scripts.brand` after changing `icon.png` or `icon@2x.png`.
"""

from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

FOLDER: Final = Path(__file__).parents[1] / "custom_components" / "sage" / "brand"

type Colour = tuple[int, int, int]

HOUSE: Final[Colour] = (70, 102, 82)
LEAF: Final[Colour] = (175, 207, 172)


def swapped(icon: Image.Image) -> Image.Image:
    """Return an icon with the colours of house and leaf exchanged, for dark backgrounds."""
    *channels, alpha = icon.split()
    turned = [
        channel.point([min(255, max(0, house + leaf - value)) for value in range(256)])
        for channel, house, leaf in zip(channels, HOUSE, LEAF, strict=True)
    ]
    return Image.merge("RGBA", (*turned, alpha))


def logo(icon: Image.Image, colour: Colour) -> Image.Image:
    """Return an icon followed by the name in this colour, cut to its edges."""
    size = icon.height
    font = ImageFont.load_default(size * 0.6)
    image = Image.new("RGBA", (size * 4, size), (*colour, 0))
    image.paste(icon, (0, 0))
    ImageDraw.Draw(image).text(
        (size * 1.15, size * 0.55),
        "SAGE",
        (*colour, 255),
        font,
        anchor="lm",
        stroke_width=size * 0.008,
    )
    return image.crop(image.getbbox())


def draw() -> None:
    for scale in ("", "@2x"):
        with Image.open(FOLDER / f"icon{scale}.png") as icon:
            dark = swapped(icon)
            images = {
                "dark_icon": dark,
                "logo": logo(icon, HOUSE),
                "dark_logo": logo(dark, LEAF),
            }
        for name, image in images.items():
            image.save(FOLDER / f"{name}{scale}.png", optimize=True)


if __name__ == "__main__":
    draw()
