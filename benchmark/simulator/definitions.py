"""What capabilities can tell and do: our compact notation, and the API's JSON from it.

The files in `capabilities/` map a capability id to its definition:

    {
      "types": {"course": "auto|eco|rinseOnly"},
      "capabilities": {
        "switchLevel": {
          "about": "Sets how strong something is.",
          "attributes": {
            "level": "integer 0..100 [%] <- setLevel",
            "levelRange": "{minimum: integer, maximum: integer, step?: integer}? [%]"
          },
          "commands": {"setLevel": "level: integer 0..100, rate?: integer 0.."}
        },
        "switch": {
          "attributes": {"switch": "on|off"},
          "commands": {"on": "-> switch=on", "off": "-> switch=off"}
        }
      }
    }

Every part of a capability may be left out. `about` is the text that the API has for it in
English (most maker's capabilities have none); `status` is `live` for an id without a dot and
`proposed` for one with a dot unless given; `name` is split from the id unless given.

A type is one of

    string          string(255)     a text, of at most so many characters
    integer         integer 0..100  with a range; either end may be left out: `0..`, `..5`
    number          number -5..9.5
    boolean   date   object   any   a date is a text such as 2026-01-31T10:00:00Z
    on|off                          one of these texts; one that has other characters than
                                    letters, digits, `_ . + -` or that is a word of this notation
                                    stands in single quotes: `'1.5x'|'Movie Mode'|'string'`
    list of on|off                  an array of a type
    {x: number, unit?: string}      an object with these members and no others; `?`: optional
    $course                         a type of the same file's `types`

An attribute is a type, then if needed: `?` (the value may be missing), `[C|F]` (its units;
a single one is also the default), `<- setLevel` (the command that sets it to its first argument).
Whether or not there is a `?`, a device reports `null` for what it does not know yet.

A command is its arguments in order, `name: type`, with `?` after the name of an optional one; then
if needed `-> attribute=value` (a command without arguments leads to this value: `enumCommands`).

A capability stands in one file only.
"""
