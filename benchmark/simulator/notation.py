"""Reads the type notation of the capability files into JSON Schema; `definitions` describes it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

type Schema = dict[str, object]

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<sign><-|->|\.\.|[{}()\[\]:,|?=$])
      | '(?P<quoted>[^']*)'
      | (?P<word>(?:(?!\.\.)[^\s<>{}()\[\]:,|?=$'])+)
    )""",
    re.VERBOSE,
)
_DATE = r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$"


class NotationError(ValueError):
    """A text that is not of the notation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """An attribute as its line has it."""

    schema: Schema
    is_optional: bool
    units: tuple[str, ...]
    setter: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument of a command, or a member of an object."""

    name: str
    is_optional: bool
    schema: Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as its line has it."""

    arguments: tuple[Argument, ...]
    leads_to: tuple[str, str] | None
    """The attribute and the value that it sets."""


def parse_attribute(text: str, types: Mapping[str, str]) -> Attribute:
    """Read the line of an attribute."""
    line = _Line(text, types)
    schema = line.type()
    is_optional = line.skips("?")
    units: tuple[str, ...] = ()
    if line.skips("["):
        units = line.words()
        line.expect("]")
    setter = line.word() if line.skips("<-") else None
    line.end()
    return Attribute(schema=schema, is_optional=is_optional, units=units, setter=setter)


def parse_command(text: str, types: Mapping[str, str]) -> Command:
    """Read the line of a command."""
    line = _Line(text, types)
    arguments = []
    while not line.is_at("", "->"):
        arguments.append(line.member())
        if not line.skips(","):
            break
    leads_to = None
    if line.skips("->"):
        attribute = line.word()
        line.expect("=")
        leads_to = (attribute, line.word())
    line.end()
    return Command(arguments=tuple(arguments), leads_to=leads_to)


@dataclass(slots=True)
class _Line:
    text: str
    types: Mapping[str, str]
    tokens: list[tuple[str, str]] = field(init=False)
    """Kind and text, the next one last."""

    def __post_init__(self) -> None:
        tokens, position, text = [], 0, self.text.rstrip()
        while position < len(text):
            if (found := _TOKEN.match(text, position)) is None:
                raise NotationError(f"{self.text!r}: nothing known begins at {text[position:]!r}")
            kind = str(found.lastgroup)
            tokens.append((kind, found[kind]))
            position = found.end()
        self.tokens = tokens[::-1]

    def is_at(self, *signs: str) -> bool:
        return (self.tokens[-1][1] if self.tokens else "") in signs and (
            not self.tokens or self.tokens[-1][0] != "quoted"
        )

    def skips(self, sign: str) -> bool:
        if self.tokens and self.is_at(sign):
            self.tokens.pop()
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.skips(sign):
            rest = " ".join(text for _, text in reversed(self.tokens))
            raise NotationError(f"{self.text!r}: {sign!r} expected before {rest!r}")

    def end(self) -> None:
        if self.tokens:
            rest = " ".join(text for _, text in reversed(self.tokens))
            raise NotationError(f"{self.text!r}: {rest!r} is left over")

    def word(self) -> str:
        if not self.tokens or self.tokens[-1][0] == "sign":
            raise NotationError(f"{self.text!r}: a word is missing")
        return self.tokens.pop()[1]

    def words(self) -> tuple[str, ...]:
        """Read words with `|` between them."""
        found = [self.word()]
        while self.skips("|"):
            found.append(self.word())
        return tuple(found)

    def member(self) -> Argument:
        """Read `name?: type`."""
        name = self.word()
        is_optional = self.skips("?")
        self.expect(":")
        return Argument(name=name, is_optional=is_optional, schema=self.type())

    def type(self) -> Schema:
        if self.skips("{"):
            return self._object()
        if self.skips("$"):
            name = self.word()
            if name not in self.types:
                raise NotationError(f"{self.text!r}: the type {name!r} is nowhere in this file")
            return self._shared(self.types[name])
        if not self.tokens or self.tokens[-1][0] == "quoted":
            return {"type": "string", "enum": list(self.words())}
        return self._named()

    def _shared(self, text: str) -> Schema:
        line = _Line(text, self.types)
        schema = line.type()
        line.end()
        return schema

    def _named(self) -> Schema:
        match self.tokens[-1][1]:
            case "list":
                self.tokens.pop()
                self.expect("of")
                return {"type": "array", "items": self.type()}
            case "integer" | "number" as name:
                self.tokens.pop()
                return {"type": name} | self._range()
            case "boolean" | "object" as name:
                self.tokens.pop()
                return {"type": name}
            case "string":
                self.tokens.pop()
                return {"type": "string"} | self._length()
            case "date":
                self.tokens.pop()
                return {"type": "string", "pattern": _DATE}
            case "any":
                self.tokens.pop()
                return {}
        return {"type": "string", "enum": list(self.words())}

    def _length(self) -> Schema:
        if not self.skips("("):
            return {}
        most = int(self.word())
        self.expect(")")
        return {"maxLength": most}

    def _range(self) -> Schema:
        limits: Schema = {}
        if self.tokens and _is_number(self.tokens[-1]):
            limits["minimum"] = _number(self.word())
            self.expect("..")
        elif not self.skips(".."):
            return {}
        if self.tokens and _is_number(self.tokens[-1]):
            limits["maximum"] = _number(self.word())
        return limits

    def _object(self) -> Schema:
        properties: Schema = {}
        required = []
        while not self.is_at("}"):
            member = self.member()
            properties[member.name] = member.schema
            if not member.is_optional:
                required.append(member.name)
            if not self.skips(","):
                break
        self.expect("}")
        schema: Schema = {
            "type": "object",
            "additionalProperties": False,
            "properties": properties,
        }
        return schema | ({"required": required} if required else {})


def _is_number(token: tuple[str, str]) -> bool:
    return token[0] == "word" and re.fullmatch(r"-?\d+(\.\d+)?", token[1]) is not None


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)
