"""Imports torch, open_clip and sentence-transformers.

It takes seconds, so that the server does it with the first model, outside the event loop.
"""

from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any, Final

_OPERATORS: Final = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)


@cache
def torch_libraries() -> SimpleNamespace:
    """Return a namespace with `torch`, `open_clip` and `sentence_transformers`."""
    torch = import_module("torch")
    operators = _import_torchvision(torch)
    return SimpleNamespace(
        torch=torch,
        open_clip=import_module("open_clip"),
        sentence_transformers=import_module("sentence_transformers"),
        # They exist as long as this object.
        torchvision_operators=operators,
    )


def _import_torchvision(torch: Any) -> Any:
    """Import torchvision, also if its compiled operators do not fit torch.

    Those of the general build do not load with torch's build for processors. The models use none
    of them, but the import of torchvision describes two operators that it assumes to exist.
    Returns the library that declares them; None if it is not needed.
    """
    try:
        import_module("torchvision")
    except RuntimeError:
        library = torch.library.Library("torchvision", "FRAGMENT")
        for operator in _OPERATORS:
            library.define(operator)
        import_module("torchvision")
        return library
    return None
