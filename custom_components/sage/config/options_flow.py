"""The options flow: PIN, satellites, risk, memory, photos, routines, calendars, contacts."""

from collections.abc import Mapping
from typing import Any, Final

import probatio
from homeassistant.config_entries import ConfigFlowResult
from homeassistant.const import CONF_API_KEY, CONF_MODEL, UnitOfTime
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from ..const import (
    CONF_BASE_URL,
    CONF_CLEAR_PIN,
    CONF_DELIVERY,
    CONF_DELIVERY_METHOD,
    CONF_EMBEDDINGS,
    CONF_FALL_BACK,
    CONF_NEW_PIN,
    CONF_NOTIFY_TARGET,
    CONF_PIN,
    CONF_PIN_HASH,
    CONF_REQUEST_DAYS,
    CONF_RETENTION_DAYS,
    CONF_RISK_LEVELS,
    CONF_ROUTINE_INTERVAL,
    CONF_SATELLITE,
    CONF_SATELLITES,
    CONF_SENTENCES_AS_NAMES,
    CONF_USER,
    CONF_WARM_PREFIX,
    EMBEDDINGS_BUILTIN,
    EMBEDDINGS_SERVER,
    WARM_ALWAYS,
    WARM_LOCAL,
    WARM_NEVER,
)
from ..delivery.delivery_method import (
    DeliveryMethod,
    DeliveryMethodKind,
    as_offered,
    delivery_method_of,
    targets,
)
from ..embeddings.server_failure import ServerFailureError
from ..home.safety.risk_levels import Level
from ..people.pin import hash_pin, is_pin
from ..routines.routine_types import DEFAULT_INTERVAL, SHORTEST_INTERVAL
from ..routines.switch_names import async_shows_sentences
from .embedders import async_find_embeddings, is_same_server
from .external_flow import ExternalSteps
from .flow_forms import (
    SECRET,
    async_name_of,
    async_people,
    embedding_error,
    embedding_server_form,
    entity_key,
)
from .memory_setup import retention_of
from .photo_flow import PhotoSteps
from .risk_overview import risk_overview

_SATELLITE: Final = "assist_satellite"
_LONGEST_RETENTION: Final = 3650
"""Maximum retention period in days."""
_LONGEST_INTERVAL: Final = 3600.0
"""Maximum interval between checks of a routine's condition, in seconds."""

_INTERVAL: Final = NumberSelector(
    NumberSelectorConfig(
        min=SHORTEST_INTERVAL,
        max=_LONGEST_INTERVAL,
        step=1,
        unit_of_measurement=UnitOfTime.SECONDS,
        mode=NumberSelectorMode.BOX,
    )
)
_DELIVERY_METHODS: Final = SelectSelector(
    SelectSelectorConfig(
        options=[kind.value for kind in DeliveryMethodKind], translation_key=CONF_DELIVERY_METHOD
    )
)
_WARM: Final = SelectSelector(
    SelectSelectorConfig(
        options=[WARM_LOCAL, WARM_ALWAYS, WARM_NEVER], translation_key=CONF_WARM_PREFIX
    )
)


class SageOptionsFlow(PhotoSteps, ExternalSteps):
    """The options flow: a menu of forms."""

    def __init__(self) -> None:
        super().__init__()
        self._retention: dict[str, Any] = {}
        self._interval: dict[str, Any] = {}

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show the menu."""
        return self.async_show_menu(
            step_id="init",
            menu_options=[
                "household",
                "satellites",
                "risk",
                "memory",
                "photos",
                "routines",
                "calendars",
                "contacts",
            ],
        )

    # ------------------------------------------------------------- household

    async def async_step_household(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the settings of the household, and store them.

        - the PIN, stored as a salted hash
        - whether Home Assistant's built-in agent answers while the model is unavailable
        - which model servers cache the beginning of prompts in advance: local ones, all or none
        """
        errors: dict[str, str] = {}
        if user_input is not None:
            pin = user_input.get(self._pin_field, "").strip()
            if not pin or is_pin(pin):
                return await self._async_keep_household(pin, user_input)
            errors[self._pin_field] = "not_a_pin"
        return self.async_show_form(
            step_id="household", data_schema=self._household_form(user_input), errors=errors
        )

    async def _async_keep_household(self, pin: str, user_input: dict[str, Any]) -> ConfigFlowResult:
        options = dict(self.config_entry.options)
        options |= {key: user_input[key] for key in (CONF_FALL_BACK, CONF_WARM_PREFIX)}
        if pin:
            options[CONF_PIN_HASH] = await self.hass.async_add_executor_job(hash_pin, pin)
        elif user_input.get(CONF_CLEAR_PIN):
            options.pop(CONF_PIN_HASH, None)
        return self.async_create_entry(data=options)

    def _household_form(self, user_input: dict[str, Any] | None) -> probatio.Schema:
        options = self.config_entry.options
        fields: dict[Any, Any] = {probatio.Optional(self._pin_field): SECRET}
        if options.get(CONF_PIN_HASH):
            fields[probatio.Optional(CONF_CLEAR_PIN, default=False)] = BooleanSelector()
        falls_back = (user_input or options).get(CONF_FALL_BACK, True)
        fields[probatio.Required(CONF_FALL_BACK, default=falls_back)] = BooleanSelector()
        warms = (user_input or options).get(CONF_WARM_PREFIX, WARM_LOCAL)
        fields[probatio.Required(CONF_WARM_PREFIX, default=warms)] = _WARM
        return probatio.Schema(fields)

    @property
    def _pin_field(self) -> str:
        """Name of the PIN's field: its text shows whether the household has a PIN."""
        return CONF_NEW_PIN if self.config_entry.options.get(CONF_PIN_HASH) else CONF_PIN

    # ------------------------------------------------------------- satellites

    async def async_step_satellites(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the person whose voice satellites the next step shows."""
        return await self._async_choose_person(
            "satellites", user_input, self.async_step_satellites_of
        )

    async def async_step_satellites_of(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which voice satellites belong to the chosen person, and store the answer."""
        return await self._async_choose_entities(
            "satellites_of", CONF_SATELLITES, _SATELLITE, user_input
        )

    # ------------------------------------------------------------- risk

    async def async_step_risk(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the entities that always or never need confirmation, and store them."""
        errors: dict[str, str] = {}
        if user_input is not None:
            chosen = {level: user_input.get(level.value, []) for level in Level}
            entity_ids = [each for listed in chosen.values() for each in listed]
            if len(entity_ids) == len(set(entity_ids)):
                levels = {
                    entity_key(self.hass, entity_id): level.value
                    for level, listed in chosen.items()
                    for entity_id in listed
                }
                options = {**self.config_entry.options, CONF_RISK_LEVELS: levels}
                return self.async_create_entry(data=options)
            errors["base"] = "two_levels"
        selector = EntitySelector(EntitySelectorConfig(multiple=True))
        shown = self._chosen_levels() if user_input is None else user_input
        return self.async_show_form(
            step_id="risk",
            data_schema=probatio.Schema(
                {
                    probatio.Optional(level.value, default=shown.get(level.value, [])): selector
                    for level in Level
                }
            ),
            errors=errors,
            description_placeholders=risk_overview(self.hass),
        )

    def _chosen_levels(self) -> dict[str, list[str]]:
        """Return the stored entity ids by risk level, without entities that no longer exist."""
        shown: dict[str, list[str]] = {}
        registry = er.async_get(self.hass)
        for key, level in self.config_entry.options.get(CONF_RISK_LEVELS, {}).items():
            if (entity_id := er.async_resolve_entity_id(registry, key)) is not None:
                shown.setdefault(level, []).append(entity_id)
        return shown

    # ------------------------------------------------------------- routines

    async def async_step_routines(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the settings of routines (stored commands).

        - the interval between checks of a condition
        - whether switches are named after the words of their routines, instead of e.g. "Routine 3"
        - a person (optional); the next form asks how answers of routines reach this person
        """
        shows_sentences = await async_shows_sentences(self.hass, self.config_entry)
        if user_input is not None:
            self._interval = {CONF_ROUTINE_INTERVAL: float(user_input[CONF_ROUTINE_INTERVAL])}
            if (wanted := user_input[CONF_SENTENCES_AS_NAMES]) != shows_sentences:
                # Store only a changed value, because the default depends on the number of users.
                self._interval[CONF_SENTENCES_AS_NAMES] = wanted
            if user_id := user_input.get(CONF_USER):
                self._user_id = user_id
                return await self.async_step_answers_of()
            return self.async_create_entry(data={**self.config_entry.options, **self._interval})
        interval = self.config_entry.options.get(CONF_ROUTINE_INTERVAL, DEFAULT_INTERVAL)
        fields: dict[Any, Any] = {
            probatio.Required(CONF_ROUTINE_INTERVAL, default=interval): _INTERVAL,
            probatio.Required(CONF_SENTENCES_AS_NAMES, default=shows_sentences): BooleanSelector(),
            probatio.Optional(CONF_USER): await async_people(self.hass),
        }
        return self.async_show_form(step_id="routines", data_schema=probatio.Schema(fields))

    async def async_step_answers_of(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask how answers of routines reach the chosen person, and store the answer."""
        errors: dict[str, str] = {}
        methods: dict[str, Any] = dict(self.config_entry.options.get(CONF_DELIVERY, {}))
        if user_input is not None:
            if (method := self._method(user_input)) is not None:
                methods.pop(self._user_id, None)
                if method.kind is not DeliveryMethodKind.AUTOMATIC:
                    methods[self._user_id] = method.as_dict()
                options = {**self.config_entry.options, **self._interval, CONF_DELIVERY: methods}
                return self.async_create_entry(data=options)
            errors[CONF_NOTIFY_TARGET] = "no_notify_target"
        return self.async_show_form(
            step_id="answers_of",
            data_schema=self._answers_form(
                delivery_method_of(methods, self._user_id), user_input or {}
            ),
            errors=errors,
            description_placeholders={"name": await async_name_of(self.hass, self._user_id)},
        )

    def _method(self, user_input: Mapping[str, Any]) -> DeliveryMethod | None:
        """Return how to deliver answers of routines; None if the notification target is missing."""
        kind, target = DeliveryMethodKind(user_input[CONF_DELIVERY_METHOD]), None
        if (
            kind is DeliveryMethodKind.NOTIFY
            and (target := user_input.get(CONF_NOTIFY_TARGET)) is None
        ):
            return None
        if kind is DeliveryMethodKind.SATELLITE and (entity_id := user_input.get(CONF_SATELLITE)):
            row = er.async_get(self.hass).async_get(entity_id)
            target = row.id if row is not None and row.domain == _SATELLITE else None
        return DeliveryMethod(kind=kind, target=target)

    def _answers_form(self, method: DeliveryMethod, entered: Mapping[str, Any]) -> probatio.Schema:
        known = targets(self.hass, self._user_id)
        choices = [
            SelectOptionDict(value=target, label=name)
            for target, name in sorted(known.items(), key=lambda each: each[1].casefold())
        ]
        row = er.async_get(self.hass).entities.get_entry(method.target or "")
        now: dict[str, Any] = {CONF_DELIVERY_METHOD: method.kind.value}
        target = as_offered(self.hass, method.target or "", self._user_id)
        if target in known:
            now[CONF_NOTIFY_TARGET] = target
        if row is not None and row.domain == _SATELLITE:
            now[CONF_SATELLITE] = row.entity_id
        shown = {**now, **entered}

        def optional(key: str) -> probatio.Optional:
            suggested = {"suggested_value": shown[key]} if key in shown else None
            return probatio.Optional(key, description=suggested)

        return probatio.Schema(
            {
                probatio.Required(
                    CONF_DELIVERY_METHOD, default=shown[CONF_DELIVERY_METHOD]
                ): _DELIVERY_METHODS,
                optional(CONF_NOTIFY_TARGET): SelectSelector(
                    SelectSelectorConfig(options=choices, mode=SelectSelectorMode.DROPDOWN)
                ),
                optional(CONF_SATELLITE): EntitySelector(
                    EntitySelectorConfig(filter={"domain": _SATELLITE})
                ),
            }
        )

    # ------------------------------------------------------------- memory

    async def async_step_memory(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the retention and the embedding model of memories; store the answers.

        If the user chooses an embedding server, the next form asks for its settings.
        """
        if user_input is not None:
            self._retention = {
                key: int(user_input[key]) for key in (CONF_RETENTION_DAYS, CONF_REQUEST_DAYS)
            }
            if user_input[CONF_EMBEDDINGS] == EMBEDDINGS_SERVER:
                return await self.async_step_embedding_server()
            options = {**self.config_entry.options, **self._retention}
            options.pop(CONF_EMBEDDINGS, None)
            return self.async_create_entry(data=options)
        return self.async_show_form(step_id="memory", data_schema=self._memory_form())

    def _memory_form(self) -> probatio.Schema:
        options = self.config_entry.options
        days = NumberSelector(
            NumberSelectorConfig(min=0, max=_LONGEST_RETENTION, step=1, mode=NumberSelectorMode.BOX)
        )
        embeddings = SelectSelector(
            SelectSelectorConfig(
                options=[EMBEDDINGS_BUILTIN, EMBEDDINGS_SERVER], translation_key=CONF_EMBEDDINGS
            )
        )
        chosen = EMBEDDINGS_SERVER if CONF_EMBEDDINGS in options else EMBEDDINGS_BUILTIN
        retention = retention_of(self.config_entry)
        return probatio.Schema(
            {
                probatio.Required(CONF_RETENTION_DAYS, default=retention.days): days,
                probatio.Required(CONF_REQUEST_DAYS, default=retention.request_days): days,
                probatio.Required(CONF_EMBEDDINGS, default=chosen): embeddings,
            }
        )

    async def async_step_embedding_server(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the settings of the embedding server; test the server and store the settings."""
        options = self.config_entry.options
        errors: dict[str, str] = {}
        if user_input is not None:
            try:
                server = await self._async_try_server(user_input)
            except ServerFailureError as err:
                errors["base"] = embedding_error(err)
            else:
                return self.async_create_entry(
                    data={**options, **self._retention, CONF_EMBEDDINGS: server}
                )
        shown = {**self._known_server, **(user_input or {})}
        return self.async_show_form(
            step_id="embedding_server", data_schema=embedding_server_form(shown), errors=errors
        )

    @property
    def _known_server(self) -> Mapping[str, Any]:
        """Settings of the stored embedding server, or else the language model's URL and key."""
        if (known := self.config_entry.options.get(CONF_EMBEDDINGS)) is not None:
            return dict(known)
        data = self.config_entry.data
        return {key: data[key] for key in (CONF_BASE_URL, CONF_API_KEY) if key in data}

    async def _async_try_server(self, user_input: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a working embedding server; raises ServerFailureError."""
        address, key = user_input[CONF_BASE_URL], user_input.get(CONF_API_KEY)
        known = self._known_server
        if not key and is_same_server(address, known.get(CONF_BASE_URL, "")):
            # An empty field keeps the stored API key, but only for the same server.
            key = known.get(CONF_API_KEY)
        return await async_find_embeddings(self.hass, address, key, user_input[CONF_MODEL].strip())
