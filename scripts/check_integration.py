"""Check the integration by the rules of hassfest and HACS that need no network.

Prints what is wrong, one line each. The workflows run the originals: hassfest, which belongs to
Home Assistant, and the HACS action. Both look at a repository as people install it, so both also
find what this script does not know yet.

    .venv/bin/python scripts/check_integration.py [repository]
"""

import ast
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, Final

import probatio
from awesomeversion import AwesomeVersion
from homeassistant import components
from homeassistant.const import Platform
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.selector import TargetSelector, validate_selector
from homeassistant.util.yaml import load_yaml_dict

CORE: Final = Path(components.__path__[0])

# hassfest lets every integration import these without declaring them.
_ALWAYS_THERE: Final = """
    alert automation conversation default_config device_automation frontend group homeassistant
    input_boolean input_button input_datetime input_number input_select input_text media_source
    mjpeg onboarding panel_custom persistent_notification person script shopping_list stream sun
    system_health system_log timer webhook websocket_api zone
"""
UNDECLARED: Final = {*Platform, *_ALWAYS_THERE.split()}


def _web_address(value: object) -> str:
    if not str(probatio.Url()(value)).startswith("https://"):
        raise probatio.Invalid("an address that starts with https://")
    return str(value)


def _version(value: object) -> str:
    if not isinstance(value, str) or not AwesomeVersion(value).valid:
        raise probatio.Invalid("a version")
    return value


_IOT_CLASS: Final = r"^(assumed_state|calculated|(cloud|local)_(polling|push))$"
_TYPE: Final = r"^(device|entity|hardware|helper|hub|service|system)$"
_MANIFEST: Final = probatio.Schema(
    {
        probatio.Required("domain"): cv.slug,
        probatio.Required("name"): str,
        probatio.Optional("after_dependencies"): [str],
        probatio.Required("codeowners"): [probatio.Match(r"^@[\w-]+(/[\w-]+)?$")],
        probatio.Optional("config_flow"): bool,
        probatio.Optional("dependencies"): [str],
        probatio.Required("documentation"): _web_address,
        probatio.Optional("import_executor"): bool,
        probatio.Required("integration_type"): probatio.Match(_TYPE),
        probatio.Required("iot_class"): probatio.Match(_IOT_CLASS),
        probatio.Required("issue_tracker"): _web_address,
        probatio.Optional("loggers"): [str],
        probatio.Optional("requirements"): [probatio.Match(r"^[-\w.\[\],]+([=<>!~]=?[^\s]+)?$")],
        probatio.Optional("single_config_entry"): bool,
        probatio.Required("version"): _version,
    }
)
_HACS: Final = probatio.Schema(
    {
        probatio.Required("name"): str,
        probatio.Optional("filename"): str,
        probatio.Optional("hacs"): _version,
        probatio.Optional("hide_default_branch"): bool,
        probatio.Optional("homeassistant"): _version,
        probatio.Optional("zip_release"): bool,
    }
)
# hassfest lets custom integrations have these in services.yaml, besides the translations.
_IN_ENGLISH: Final = {probatio.Optional("name"): str, probatio.Optional("description"): str}
_FIELD: Final = probatio.Schema(
    {
        **_IN_ENGLISH,
        probatio.Optional("default"): object,
        probatio.Optional("example"): object,
        probatio.Optional("required"): bool,
        probatio.Optional("selector"): validate_selector,
    }
)
_ACTION: Final = {
    **_IN_ENGLISH,
    probatio.Optional("fields"): {cv.slug: _FIELD},
    probatio.Optional("target"): TargetSelector.CONFIG_SCHEMA,
}
_ACTIONS: Final = probatio.Schema({cv.slug: probatio.Any(_ACTION, None)})

# Paths of the texts that Home Assistant reads; `*` stands for a key.
_FLOW: Final = """
    flow_title step.*.title step.*.description step.*.submit step.*.data.* step.*.data_description.*
    step.*.menu_options.* step.*.menu_option_descriptions.* step.*.sections.*.name
    step.*.sections.*.description step.*.sections.*.data.* step.*.sections.*.data_description.*
    error.* abort.* progress.* create_entry.*
"""
_OTHER: Final = """
    title common.* exceptions.*.message device.*.name issues.*.title issues.*.description
    config_subentries.*.entry_type config_subentries.*.initiate_flow.*
    entity.*.*.name entity.*.*.state.* entity.*.*.state_attributes.*.name
    entity.*.*.state_attributes.*.state.* entity.*.*.unit_of_measurement
    selector.*.options.* system_health.info.* services.*.name services.*.description
    services.*.fields.*.name services.*.fields.*.description
"""
_FLOWS: Final = ("config", "options", "config_subentries.*", "issues.*.fix_flow")
_TEXTS: Final = {
    *_OTHER.split(),
    *(f"{flow}.{text}" for flow in _FLOWS for text in _FLOW.split()),
}
_ANY_DEPTH: Final = "config_panel"
_ICONS: Final = {
    "services.*.service",
    "entity.*.*.default",
    "entity.*.*.state.*",
    "entity.*.*.state_attributes.*.default",
    "entity.*.*.state_attributes.*.state.*",
}
_ADDRESS: Final = re.compile(r"\b[a-z][a-z0-9+.-]*://|\bwww\.\w", re.IGNORECASE)


def errors(repository: Path) -> Iterator[str]:
    """Yield what hassfest or HACS would refuse, as sentences that begin with the file."""
    folders = [path for path in (repository / "custom_components").iterdir() if path.is_dir()]
    folders = [path for path in folders if path.name[0] not in "_."]
    if len(folders) != 1:
        yield f"custom_components: HACS installs one integration, here are {len(folders)}"
        return
    (integration,) = folders
    broken = list(_broken_json(integration))
    yield from broken
    if broken:
        return
    yield from _manifest(integration)
    yield from _dependencies(integration)
    yield from _texts(integration)
    yield from _actions(integration)
    yield from _icons(integration)
    yield from _configuration(integration)
    yield from _quality_scale(integration)
    yield from _hacs(repository, integration)


def _broken_json(integration: Path) -> Iterator[str]:
    for path in sorted(integration.rglob("*.json")):
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            yield f"{path.relative_to(integration)}: {error}"


def _read(integration: Path, name: str) -> Any:
    path = integration / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _refusals(name: str, schema: Callable[[Any], Any], value: object) -> Iterator[str]:
    try:
        schema(value)
    except probatio.MultipleInvalid as error:
        yield from (f"{name}: {each}" for each in error.errors)
    except probatio.Invalid as error:
        yield f"{name}: {error}"


def _manifest(integration: Path) -> Iterator[str]:
    manifest = _read(integration, "manifest.json")
    yield from _refusals("manifest.json", _MANIFEST, manifest)
    if manifest.get("domain") != integration.name:
        yield "manifest.json: the domain is not the name of the folder"
    rest = [key for key in manifest if key not in ("domain", "name")]
    if list(manifest) != ["domain", "name", *sorted(rest)]:
        yield "manifest.json: the keys are not in order (domain, name, then by alphabet)"


def _dependencies(integration: Path) -> Iterator[str]:
    manifest = _read(integration, "manifest.json")
    before, after = (set(manifest.get(f"{key}dependencies", ())) for key in ("", "after_"))
    for domain in sorted(before & after):
        yield f"manifest.json: {domain} is in dependencies and in after_dependencies"
    for domain in sorted(before | after):
        if not (CORE / domain / "manifest.json").exists():
            yield f"manifest.json: there is no integration {domain}"
    for path in sorted(integration.rglob("*.py")):
        for domain in sorted(set(_imported(ast.parse(path.read_text(encoding="utf-8"))))):
            is_platform = (integration / f"{domain}.py").exists() or (integration / domain).is_dir()
            if domain not in UNDECLARED | before | after and not is_platform:
                yield f"{path.relative_to(integration)}: {domain} is imported, but not declared"


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield the integrations that code imports when it runs, also within functions."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.ImportFrom(module="homeassistant.components", names=names):
            yield from (each.name for each in names)
        case ast.ImportFrom(module=str(module)) if module.startswith("homeassistant.components."):
            yield module.split(".")[2]
        case ast.Import(names=names):
            parts = [each.name.split(".") for each in names]
            yield from (
                part[2]
                for part in parts
                if part[:2] == ["homeassistant", "components"] and part[2:]
            )
    for child in ast.iter_child_nodes(node):
        yield from _imported(child)


def _leaves(tree: Mapping[str, Any], *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, *path, key)
        else:
            yield (*path, key), value


def _is_one_of(path: tuple[str, ...], patterns: set[str]) -> bool:
    return any(
        len(path) == len(parts)
        and all(part in ("*", key) for part, key in zip(parts, path, strict=True))
        for parts in (pattern.split(".") for pattern in patterns)
    )


def _texts(integration: Path) -> Iterator[str]:
    if (integration / "strings.json").exists():
        yield "strings.json: only integrations of Home Assistant itself have this file"
    for file in sorted((integration / "translations").iterdir()):
        texts = _read(integration, f"translations/{file.name}")
        for path, text in _leaves(texts):
            name = f"translations/{file.name}: {'.'.join(path)}"
            if path[0] != _ANY_DEPTH and not _is_one_of(path, _TEXTS):
                yield f"{name}: Home Assistant reads no text of this name"
            if not all(re.fullmatch(r"[a-z0-9]+([_-][a-z0-9]+)*", key) for key in path):
                yield f"{name}: a key is not in lower case with single underscores"
            yield from (f"{name}: {problem}" for problem in _problems(text))
        yield from (f"translations/{file.name}: {problem}" for problem in _gaps(texts))


def _problems(text: object) -> Iterator[str]:
    """Yield what is wrong with one text."""
    try:
        text = cv.string_with_no_html(text)
        names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    except (probatio.Invalid, ValueError) as error:
        yield str(error)
        return
    if not all(name.isidentifier() for name in names):
        yield "a placeholder is not a name"
    if re.search(r"'{\w+}'", text):
        yield "a placeholder is in single quotes"
    if text != text.strip():
        yield "it begins or ends with a space"
    if _ADDRESS.search(text):
        yield "it has an address; give it as a placeholder"
    if "[%" in text or "%]" in text:
        yield "a reference to another text works only in Home Assistant itself"


def _gaps(texts: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is missing, or describes nothing."""
    flows = [texts.get("config", {}), texts.get("options", {})]
    for kind, flow in texts.get("config_subentries", {}).items():
        flows.append(flow)
        if "entry_type" not in flow or "user" not in flow.get("initiate_flow", {}):
            yield f"config_subentries.{kind}: entry_type or initiate_flow.user is missing"
    for name, issue in texts.get("issues", {}).items():
        flows.append(issue.get("fix_flow", {}))
        if "title" not in issue or ("description" in issue) == ("fix_flow" in issue):
            yield f"issues.{name}: it needs a title, and either a description or a fix_flow"
    for flow in flows:
        for name, step in flow.get("step", {}).items():
            if extra := set(step.get("data_description", ())) - set(step.get("data", ())):
                yield f"step {name}: {sorted(extra)} are described, but not named"


def _actions(integration: Path) -> Iterator[str]:
    file = integration / "services.yaml"
    try:
        actions = load_yaml_dict(str(file)) if file.exists() else {}
    except HomeAssistantError as error:
        yield f"services.yaml: {error}"
        return
    refusals = list(_refusals("services.yaml", _ACTIONS, actions))
    yield from refusals
    if refusals:
        return
    texts, icons = _read(integration, "translations/en.json"), _read(integration, "icons.json")
    named = texts.get("services", {})
    for file_name, keys in (
        ("translations/en.json", named),
        ("icons.json", icons.get("services", {})),
    ):
        for name in sorted(set(keys) ^ set(actions)):
            yield f"{file_name}: services: {name} is missing, or no action"
    for name, action in actions.items():
        fields = (action or {}).get("fields", {})
        problems = _undescribed(fields, named.get(name, {}), texts.get("selector", {}))
        yield from (f"services.yaml: {name}: {problem}" for problem in problems)


def _undescribed(
    fields: Mapping[str, Any], texts: Mapping[str, Any], options: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the texts that an action lacks; `options`: the texts of selectors."""
    described = texts.get("fields", {})
    if set(fields) != set(described):
        yield f"{sorted(set(fields) ^ set(described))} are not described, or no fields"
    if not all({"name", "description"} <= set(words) for words in (texts, *described.values())):
        yield "a name or a description is missing"
    for field in fields.values():
        key = (field.get("selector", {}).get("select") or {}).get("translation_key")
        if key is not None and key not in options:
            yield f"the options of {key} have no texts"


def _icons(integration: Path) -> Iterator[str]:
    icons = _read(integration, "icons.json")
    for path, icon in _leaves(icons):
        if not _is_one_of(path, _ICONS) or not str(icon).startswith("mdi:"):
            yield f"icons.json: {'.'.join(path)}: {icon} is no icon that Home Assistant reads"
    for platform in icons.get("entity", {}).values():
        for key, entity in platform.items():
            if entity.get("default") in entity.get("state", {}).values():
                yield f"icons.json: {key}: the icon of a state is the default one"


def _configuration(integration: Path) -> Iterator[str]:
    has_flow = (integration / "config_flow.py").exists()
    if has_flow != bool(_read(integration, "manifest.json").get("config_flow")):
        yield "manifest.json: config_flow is true exactly if there is a config_flow.py"
    code = ast.parse((integration / "__init__.py").read_text(encoding="utf-8"))
    names = {each.name for each in code.body if isinstance(each, ast.AsyncFunctionDef)}
    assigned = {ast.unparse(each).partition(" ")[0].rstrip(":") for each in code.body}
    if "async_setup" in names and "CONFIG_SCHEMA" not in assigned:
        yield "__init__.py: async_setup needs a CONFIG_SCHEMA"


def _quality_scale(integration: Path) -> Iterator[str]:
    rules, known = (
        load_yaml_dict(str(path / "quality_scale.yaml"))["rules"]
        for path in (integration, CORE / "openai_conversation")
    )
    for rule in sorted(set(rules) ^ set(known)):
        yield f"quality_scale.yaml: {rule} is not judged, or no rule"
    for rule, verdict in rules.items():
        status = verdict if isinstance(verdict, str) else verdict.get("status")
        has_reason = not isinstance(verdict, str) and bool(str(verdict.get("comment", "")).strip())
        if status not in ("done", "exempt", "todo") or (status == "exempt" and not has_reason):
            yield f"quality_scale.yaml: {rule}: done, todo, or exempt with a comment"
    owned = rules.get("integration-owner") == "done"
    if owned != bool(_read(integration, "manifest.json").get("codeowners")):
        yield "quality_scale.yaml: integration-owner is done exactly if there are codeowners"


def _hacs(repository: Path, integration: Path) -> Iterator[str]:
    hacs = _read(repository, "hacs.json")
    yield from _refusals("hacs.json", _HACS, hacs)
    if hacs.get("zip_release") and not hacs.get("filename"):
        yield "hacs.json: zip_release needs a filename"
    for name in ("README.md", "LICENSE"):
        if not (repository / name).exists():
            yield f"{name} is missing"
    if not (integration / "brand" / "icon.png").exists():
        yield "brand/icon.png is missing"


if __name__ == "__main__":
    problems = list(errors(Path(sys.argv[1] if sys.argv[1:] else Path(__file__).parent.parent)))
    print("\n".join(problems) or "hassfest and HACS: nothing wrong")
    sys.exit(bool(problems))
