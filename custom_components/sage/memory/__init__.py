"""Store each person's utterances, search them, and summarize them in a profile."""

from .async_memory import RECALLED, AsyncPersonMemory
from .long_term_memory import LongTermMemory
from .memories import (
    Memory,
    MemoryRefusedError,
    MemorySettings,
    MemoryStoreError,
    Origin,
    Recollection,
    clean,
)
from .memory_json import (
    async_people_figures,
    export,
    memory_as_json,
    page_json,
    profile_json,
    settings_json,
)
from .person_memory import PersonMemory
from .profile import memory_line, sentences_of
from .profile_builder import Built, WriterError, async_build_profile
