"""Home Assistant's translations for actions, attributes and states."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_cached_translations, async_get_translations

from ...text.words import fold
from .actions import Subject

ENGLISH: Final = "en"


class Texts:
    """Looks up Home Assistant's translations; call `async_load` before use."""

    def __init__(self, hass: HomeAssistant, language: str = ENGLISH) -> None:
        """Store the language; missing translations fall back to English."""
        self._hass = hass
        self._language = language
        self._loaded: set[str] = set()

    async def async_load(self, integrations: Iterable[str]) -> None:
        """Load the texts of these domains and integrations."""
        # Home Assistant merges texts on the event loop: loading all at once would block it.
        for integration in sorted(set(integrations) - self._loaded):
            await async_get_translations(
                self._hass, self._language, "entity_component", {integration}
            )
            self._loaded.add(integration)
            await asyncio.sleep(0)

    def is_loaded(self, integrations: Iterable[str]) -> bool:
        """Return whether the texts of these integrations are loaded."""
        return self._loaded.issuperset(integrations)

    def of_action(self, domain: str, action: str) -> str:
        """Return the description of an action; empty if there is none."""
        found = self._category("services", domain)
        return found.get(f"component.{domain}.services.{action}.description", "")

    def of_field(self, domain: str, action: str, field: str) -> str:
        """Return the description of a field of an action; empty if there is none."""
        found = self._category("services", domain)
        return found.get(f"component.{domain}.services.{action}.fields.{field}.description", "")

    def of_kind(self, domain: str, device_class: str | None) -> str:
        """Return the name of a device class, e.g. `Garage door`; for None, that of the domain."""
        found = self._category("entity_component", domain)
        return found.get(f"component.{domain}.entity_component.{device_class or '_'}.name", "")

    def of_title(self, domain: str) -> str:
        """Return the title of an integration; empty if there is none."""
        return self._category("title", domain).get(f"component.{domain}.title", "")

    def of_attribute(self, subject: Subject, name: str) -> str:
        """Return the label of an attribute; empty if it only repeats the name."""
        return _unless_repeated(name, self._of_entity(subject, f"state_attributes.{name}.name"))

    def of_value(self, subject: Subject, name: str, value: object) -> str:
        """Return the label of a value of an attribute; empty if it only repeats the value.

        An empty `name` means the state.
        """
        place = f"state_attributes.{name}.state" if name else "state"
        return _unless_repeated(str(value), self._of_entity(subject, f"{place}.{value}"))

    def states(self, subject: Subject) -> tuple[str, ...]:
        """Return the state values, such as `on`, that are translated for the device class.

        If there are none, return those that are translated for the domain.
        """
        found = self._category("entity_component", subject.domain)
        for kind in (subject.device_class, "_"):
            prefix = f"component.{subject.domain}.entity_component.{kind}.state."
            states = [name.removeprefix(prefix) for name in found if name.startswith(prefix)]
            if kind and states:
                return tuple(states)
        return ()

    def kinds(self, domain: str) -> dict[str, str]:
        """Return the names of a domain's device classes, e.g. `{"garage": "Garage door"}`.

        The key `_` has the name of the domain itself.
        """
        start, end = f"component.{domain}.entity_component.", ".name"
        found = self._category("entity_component", domain)
        kinds = {
            name.removeprefix(start).removesuffix(end): text
            for name, text in found.items()
            if name.startswith(start) and name.endswith(end)
        }
        return {kind: text for kind, text in kinds.items() if "." not in kind}

    def labels_of_states(self, domain: str) -> dict[str, str]:
        """Return the labels of a domain's states, e.g. `{"open": "Open"}`.

        They apply to entities without a device class.
        """
        start = f"component.{domain}.entity_component._.state."
        found = self._category("entity_component", domain)
        return {
            name.removeprefix(start): text for name, text in found.items() if name.startswith(start)
        }

    def _of_entity(self, subject: Subject, place: str) -> str:
        if subject.translation_key:
            found = self._category("entity", subject.integration)
            start = f"component.{subject.integration}.entity.{subject.domain}"
            if text := found.get(f"{start}.{subject.translation_key}.{place}"):
                return text
        found = self._category("entity_component", subject.domain)
        start = f"component.{subject.domain}.entity_component"
        return (
            found.get(f"{start}.{subject.device_class}.{place}")
            or found.get(f"{start}._.{place}")
            or ""
        )

    def _category(self, category: str, integration: str) -> Mapping[str, str]:
        return async_get_cached_translations(self._hass, self._language, category, integration)


def _unless_repeated(raw: str, text: str) -> str:
    """Return the text; empty if it only repeats the raw name."""
    letters = "".join(filter(str.isalnum, fold(text)))
    return "" if letters == "".join(filter(str.isalnum, fold(raw))) else text
