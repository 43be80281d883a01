"""Configuration keys, default values and limits of SAGE."""

from typing import Final

DOMAIN: Final = "sage"

CONF_BASE_URL: Final = "base_url"
CONF_AI_TASK: Final = "ai_task"
"""Registry id or entity id of the AI Task entity used as the model; absent for a model server."""
CONF_STRUCTURE: Final = "structure"
"""Kind of structured output that the AI Task entity supports (`model/structure.py`)."""
CONF_MODEL_SOURCE: Final = "model_source"
CONF_ASSISTANT: Final = "assistant"
"""Id of the assistant in which SAGE shall answer; only asked, not stored."""
CONF_INSTRUCTIONS: Final = "instructions"
CONF_DECISION_FORMAT: Final = "decision_format"
CONF_FORMATS: Final = "formats"
# The value is an older name, which stored config entries contain.
CONF_MISJUDGES_TIMING: Final = "confuses_later"
"""Whether the model executes a request like "lamp on at 8 pm" immediately, by mistake."""
CONF_SEES: Final = "sees"  # whether the model told the colours of a test picture
CONF_EXPERT: Final = "expert"
CONF_REASONING_EFFORT: Final = "reasoning_effort"
CONF_REPLY_TOKENS: Final = "reply_tokens"  # maximum number of tokens in one reply of the model
CONF_PAPER_FLOW: Final = "paper_flow"
CONF_VERIFY_ANSWERS: Final = "verify_answers"
CONF_MAX_STEPS: Final = "max_steps"
CONF_MAX_SECONDS: Final = "max_seconds"
CONF_MAX_TOKENS: Final = "max_tokens"
CONF_TOOL_APIS: Final = "tool_apis"
CONF_PIN: Final = "pin"
CONF_PIN_ATTEMPTS: Final = "pin_attempts"
CONF_NEW_PIN: Final = "new_pin"
CONF_CLEAR_PIN: Final = "clear_pin"
CONF_PIN_HASH: Final = "pin_hash"
CONF_FALL_BACK: Final = "fall_back"
CONF_PLAIN_REQUESTS: Final = "plain_requests"
"""Whether plain commands are executed without the model; if absent, only with local models."""
CONF_WARM_PREFIX: Final = "warm_prefix"
"""`never` if SAGE does not fill the prompt cache of a local server in advance."""
CONF_SATELLITES: Final = "satellites"
CONF_USER: Final = "user"
CONF_RETENTION_DAYS: Final = "retention_days"  # days until memories are deleted; 0 for never
CONF_REQUEST_DAYS: Final = "request_days"
"""Days until stored requests are deleted; 0 keeps them as long as other memories."""
CONF_EMBEDDINGS: Final = "embeddings"
"""Settings of the text embedding server; if absent, the built-in embedding model is used."""
CONF_PHOTO_SERVER: Final = "photo_server"
"""Settings of the photo embedding server; if absent, photos are found by their captions."""
CONF_SPEAKERS: Final = "speakers"
"""Settings of the server with the speaker encoder; if absent, voices are not compared."""
CONF_SPEAKER_THRESHOLD: Final = "speaker_threshold"
"""Similarity from which on a voice counts as that of a person, 0 to 1."""
CONF_VISION: Final = "vision"
"""Registry id or entity id of the AI Task entity for pictures; absent: the agent's model."""
CONF_PRICES: Final = "prices"
"""Agent id -> prices per million tokens, with the optional keys `input`, `cached`, `output`."""
CONF_RISK_LEVELS: Final = "risk_levels"
"""Registry id or entity id of an entity -> risk level chosen by the household."""
CONF_CALENDARS: Final = "calendars"
"""Registry id or entity id of a calendar -> user id of the only person who may see it."""
CONF_FILE: Final = "file"
CONF_LIMITS: Final = "limits"
CONF_OWN_MODEL: Final = "own_model"
CONF_SECOND_MODEL: Final = "second_model"
"""Connection of the model behind the agent's model, without address and key."""

CONF_SOURCE: Final = "source"
CONF_CHANNEL_NUMBERS: Final = "channel_numbers"
CONF_GEOCODING_URL: Final = "geocoding_url"
"""URL of the geocoding service; only tests and the demo set it."""

LOOK: Final = (DOMAIN, "look")
"""The action that answers a question about what a camera or an image shows now."""

EMBEDDINGS_BUILTIN: Final = "builtin"
EMBEDDINGS_SERVER: Final = "server"

SOURCE_SERVER: Final = "server"
"""Value of CONF_MODEL_SOURCE for a model server instead of an AI Task entity."""

WARM_NEVER: Final = "never"

SUBENTRY_AGENT: Final = "agent"
SUBENTRY_MAIL: Final = "mail"
SUBENTRY_WEATHER: Final = "weather"
SUBENTRY_TV_GUIDE: Final = "tv_guide"
CONF_ADDRESS: Final = "address"
CONF_PROVIDER: Final = "provider"
CONF_IMAP: Final = "imap"  # host, port and security of the IMAP server
CONF_SMTP: Final = "smtp"  # host, port and security of the SMTP server
CONF_SECURITY: Final = "security"
CONF_KEEPS_SENT: Final = "keeps_sent"
"""Whether the mail server itself stores a copy of each sent message."""

EFFORT_DEFAULT: Final = "default"
"""Value of CONF_REASONING_EFFORT that leaves the effort to the model."""

FORMAT_AUTO: Final = "auto"
FORMAT_NATIVE: Final = "native"
FORMAT_CONSTRAINED: Final = "constrained"
FORMAT_REACT: Final = "react"

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
DEFAULT_PHOTO_MODEL: Final = "ViT-B-32/laion2b_s34b_b79k"
"""Name of the CLIP model from the paper, on a server that compares photos."""
DEFAULT_AGENT_NAME: Final = "SAGE"
COMPLETION_TOKENS: Final = 1024  # default maximum length of a model reply in tokens
DEFAULT_MAX_STEPS: Final = 12  # maximum number of model calls in one execution of an agent
DEFAULT_MAX_SECONDS: Final = 300
"""Maximum duration of one command in seconds, without waiting for the person's replies."""
DEFAULT_MAX_TOKENS: Final = 100_000  # maximum number of prompt and completion tokens of one command
MAX_DEPTH: Final = 3
"""Maximum nesting depth of agent-tools (tools that run an agent loop themselves)."""

QUESTION_TIMEOUT: Final = 300.0  # seconds that SAGE waits for the reply to a question
ROUTINE_QUESTION_TIMEOUT: Final = 3600.0
"""Seconds that a routine waits for the reply to a question; the person may be away."""
ROUTINE_PATIENCE: Final = (10.0, 60.0, 180.0)
"""Seconds that a routine waits before each retry of an unavailable model."""
