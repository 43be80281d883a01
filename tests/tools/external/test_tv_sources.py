"""The name of a channel in the list of a TV."""

import pytest

from custom_components.sage.external.xmltv import Channel

SOURCES = ("HDMI 1", "101 BBC ONE", "BBC Two HD", "ITV1", "ITV2", "Das Erste")


@pytest.mark.parametrize(
    ("names", "source"),
    [
        (("BBC One",), "101 BBC ONE"),
        (("ITV2",), "ITV2"),
        (("BBC Two",), ""),
        (("BBC Two HD", "BBC Two"), "BBC Two HD"),
        (("ARD", "Das Erste"), "Das Erste"),
        (("Arte",), ""),
        (("7",), ""),
    ],
)
def test_it_is_found_by_its_name_never_by_a_number(names: tuple[str, ...], source: str) -> None:
    assert Channel(id="id", names=names).source_in(SOURCES) == source
