"""vCards for tests."""


def card(name: str, *lines: str, version: str = "3.0") -> str:
    """Return a card with this full name and these further lines."""
    return "\r\n".join(
        ["BEGIN:VCARD", f"VERSION:{version}", f"UID:{name}", f"FN:{name}", *lines, "END:VCARD", ""]
    )
