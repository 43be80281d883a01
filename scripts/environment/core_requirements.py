"""Print the packages that Home Assistant would fetch on the first start of a test home.

Core integrations do not bring their packages along; each names them in its
manifest. SAGE fetches the packages of its sandbox with the first condition code; they
are printed as well. Run it with the Python of the environment it is about:

    python core_requirements.py custom_components/sage/manifest.json
"""

import json
import runpy
import sys
from pathlib import Path

from homeassistant import components
from homeassistant.auth.mfa_modules import totp
from homeassistant.bootstrap import DEFAULT_INTEGRATIONS

# In addition to what starts in every home: what the demo home and the tests set up, and
# the core integration whose `openai` decides which one may be installed. `ollama`
# has an AI Task entity that can be pointed at a server on loopback.
IN_USE = frozenset(
    {
        "assist_pipeline",
        "caldav",
        "conversation",
        "demo",
        "frontend",
        "history",
        "local_calendar",
        "ollama",
        "openai_conversation",
        "smartthings",
        "wyoming",
    }
)
BUILT_IN = Path(components.__path__[0])

# In addition to a manifest: what the integration installs at first use.
AT_FIRST_USE = Path("routines") / "sandbox" / "requirements.py"


def requirements(manifests: list[Path]) -> list[str]:
    """Return sorted requirements of `manifests`, of all that starts, and what those depend on."""
    waiting = [BUILT_IN / name / "manifest.json" for name in IN_USE | DEFAULT_INTEGRATIONS]
    waiting += manifests
    seen: set[Path] = set()
    # The second factor that every home offers is no integration and has no manifest.
    found: set[str] = set(totp.REQUIREMENTS)
    while waiting:
        path = waiting.pop()
        if path in seen or not path.exists():
            continue
        seen.add(path)
        manifest = json.loads(path.read_text(encoding="utf-8"))
        found.update(manifest.get("requirements", []))
        waiting += [BUILT_IN / name / "manifest.json" for name in manifest.get("dependencies", [])]
    for manifest_path in manifests:
        found.update(at_first_use(manifest_path.parent / AT_FIRST_USE))
    return sorted(found)


def at_first_use(path: Path) -> set[str]:
    """Return the requirements that a module of constants names."""
    named = runpy.run_path(str(path))
    return {each for value in named.values() if isinstance(value, tuple) for each in value}


if __name__ == "__main__":
    print("\n".join(requirements([Path(name) for name in sys.argv[1:]])))
