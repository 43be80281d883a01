"""Store each person's utterances, search them, and summarize them in a profile."""

from .async_memory import RECALLED
from .long_term_memory import LongTermMemory
from .memories import Memory, MemorySettings, MemoryStoreError, Origin, Recollection
from .memory_export import export
from .person_memory import PersonMemory
from .profile import whole_days
from .profile_builder import Built, WriterError, async_build_profile
from .said import Sentence, contains, is_question, sentences_of
