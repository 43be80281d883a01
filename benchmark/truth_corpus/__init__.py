"""What people say in `benchmark.truth`, and what a model decides and answers then."""

from .contradictions import contradictions
from .honest import honest
from .lies import lies
from .model import LANGUAGES, Case

__all__ = ["LANGUAGES", "Case", "contradictions", "honest", "lies"]
