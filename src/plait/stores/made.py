"""Made: in plain words, how an index was built otherwise than it is asked for now.

A store keeps what an index was built with as words of the form ``name=value``. Only those that
differ are told.
"""

from __future__ import annotations

WAYS = {"0": "without", "1": "with"}
SWITCHES = {"comments": "comments", "pairs": "adjacent words", "stemming": "stems of words"}
VALUES = {"identifiers": "identifiers"}


def made_otherwise(built: str, now: str) -> str:
    """What was different when an index was built, and what is asked for now.

    Args:
        built: What it was built with, as its manifest says.
        now: The same as the settings say.
    """
    before, after = _parts(built), _parts(now)
    names = [name for name in (*before, *after) if before.get(name) != after.get(name)]
    pairs = dict.fromkeys(_told(name, before, after) for name in names)
    was, is_ = ([pair[side] for pair in pairs] for side in (0, 1))
    return f"built {' and '.join(was)}, and is now asked for {' and '.join(is_)}"


def _parts(made: str) -> dict[str, str]:
    return {name: value for name, _, value in (part.partition("=") for part in made.split())}


def _told(name: str, before: dict[str, str], after: dict[str, str]) -> tuple[str, str]:
    was, is_ = before.get(name), after.get(name)
    if name == "secrets":
        if "shown" in (was, is_):
            return _secrets(was), _secrets(is_)
        return "with an older way of finding secrets", "with the one of this version"
    if name == "tags":
        return "with other rules for tags", "with those of this version"
    if name in SWITCHES:
        what = SWITCHES[name]
        return f"{WAYS.get(was or '', 'with')} {what}", f"{WAYS.get(is_ or '', 'with')} {what}"
    if was is None or is_ is None or not was or not is_:
        return "by another version of plait", "by this one"
    label = VALUES.get(name, f"weight_{name}")
    return f"with {label} = {was}", f"with {label} = {is_}"


def _secrets(way: str | None) -> str:
    return "with secrets shown" if way in (None, "shown") else "with secrets masked"
