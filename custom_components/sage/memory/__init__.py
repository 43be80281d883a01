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
from .memory_export import export
from .person_memory import PersonMemory
from .profile_builder import Built, WriterError, async_build_profile
