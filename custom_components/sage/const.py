"""Names and limits that all parts of SAGE share."""

from typing import Final

DOMAIN: Final = "sage"

CONF_BASE_URL: Final = "base_url"
CONF_INSTRUCTIONS: Final = "instructions"
CONF_DECISION_FORMAT: Final = "decision_format"
CONF_FORMATS: Final = "formats"
CONF_CONFUSES_LATER: Final = "confuses_later"
"""Whether the model executes requests for a later time immediately (see `config/probe.py`)."""
CONF_PAPER_FLOW: Final = "paper_flow"
CONF_VERIFY_ANSWERS: Final = "verify_answers"
CONF_MAX_STEPS: Final = "max_steps"
CONF_MAX_SECONDS: Final = "max_seconds"
CONF_MAX_TOKENS: Final = "max_tokens"
CONF_TOOL_APIS: Final = "tool_apis"
CONF_PIN: Final = "pin"
CONF_CLEAR_PIN: Final = "clear_pin"
CONF_PIN_HASH: Final = "pin_hash"
CONF_FALL_BACK: Final = "fall_back"
CONF_WARM_PREFIX: Final = "warm_prefix"
"""The model servers that evaluate the prompts' prefixes before somebody speaks."""
CONF_SATELLITES: Final = "satellites"
CONF_USER: Final = "user"
CONF_RETENTION_DAYS: Final = "retention_days"
"""Days after which memories are deleted; 0 keeps them."""
CONF_REQUEST_DAYS: Final = "request_days"
"""Days after which requests are deleted; 0 keeps them as long as other memories."""
CONF_EMBEDDINGS: Final = "embeddings"
"""Settings of the embedding server; without it the built-in model is used."""
CONF_PHOTO_SERVER: Final = "photo_server"
"""Settings of the server that embeds photos; without it captions are compared."""
CONF_DELIVERY: Final = "delivery"
"""User id -> way of delivering routines' answers (`delivery/way.py`)."""
CONF_WAY: Final = "way"
CONF_NOTIFY_TARGET: Final = "notify_target"
CONF_SATELLITE: Final = "satellite"
CONF_ROUTINE_INTERVAL: Final = "routine_interval"
"""Seconds between two checks of conditions that depend on the time."""
CONF_RISK_LEVELS: Final = "risk_levels"
"""Registry id or entity id of an entity -> level chosen by the household."""
CONF_LIMITS: Final = "limits"
CONF_OWN_MODEL: Final = "own_model"

CONF_SOURCE: Final = "source"
CONF_REFRESH_HOURS: Final = "refresh_hours"
CONF_CHANNEL_NUMBERS: Final = "channel_numbers"
CONF_GEOCODING_URL: Final = "geocoding_url"
"""Address of the search for places; only tests and the demo set it."""

EMBEDDINGS_BUILTIN: Final = "builtin"
EMBEDDINGS_SERVER: Final = "server"

WARM_LOCAL: Final = "local"
WARM_ALWAYS: Final = "always"
WARM_NEVER: Final = "never"

SUBENTRY_AGENT: Final = "agent"
SUBENTRY_MAIL: Final = "mail"
SUBENTRY_WEATHER: Final = "weather"
SUBENTRY_TV_GUIDE: Final = "tv_guide"
CONF_ADDRESS: Final = "address"
CONF_PROVIDER: Final = "provider"
CONF_IMAP: Final = "imap"
"""Host, port and security of the server for reading mail."""
CONF_SMTP: Final = "smtp"
"""Host, port and security of the server for sending mail."""
CONF_SECURITY: Final = "security"
CONF_KEEPS_SENT: Final = "keeps_sent"
"""Whether the server itself stores what is sent."""

FORMAT_AUTO: Final = "auto"
FORMAT_NATIVE: Final = "native"
FORMAT_CONSTRAINED: Final = "constrained"
FORMAT_REACT: Final = "react"

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
DEFAULT_PHOTO_MODEL: Final = "ViT-B-32/laion2b_s34b_b79k"
"""The model of the paper, as the models server names it."""
DEFAULT_AGENT_NAME: Final = "SAGE"
DEFAULT_REFRESH_HOURS: Final = 24
"""Hours after which a TV guide is fetched again."""
DEFAULT_MAX_STEPS: Final = 12
"""Maximum number of decisions of one agent-tool for one command."""
DEFAULT_MAX_SECONDS: Final = 300
"""Maximum wall time of a run in seconds, without waiting for the person."""
DEFAULT_MAX_TOKENS: Final = 100_000
"""Maximum number of prompt and completion tokens of a run."""
MAX_DEPTH: Final = 3
"""Maximum nesting of agent-tools."""

QUESTION_TIMEOUT: Final = 300.0
"""Seconds that a question to the person stays open."""
ROUTINE_QUESTION_TIMEOUT: Final = 3600.0
"""Seconds that a question of a routine stays open: its person may be anywhere."""
ROUTINE_PATIENCE: Final = (10.0, 60.0, 180.0)
"""Waiting times of a routine, in seconds, before it tries an unavailable model again."""
