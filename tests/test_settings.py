"""Settings: which place wins, and what is refused in words."""

from __future__ import annotations

import re
import time
from dataclasses import fields
from pathlib import Path

import pytest

from plait.errors import SettingError
from plait.lanes import tokens
from plait.search.fusion import METHODS
from plait.search.plan import MODES
from plait.settings import BOUNDS, CHOICES, USERS_ONLY, Settings, load_settings, read_settings


def project(folder: Path, own: str = "", pyproject: str = "") -> Path:
    if own:
        (folder / ".plait.toml").write_text(own, encoding="utf-8")
    if pyproject:
        (folder / "pyproject.toml").write_text(pyproject, encoding="utf-8")
    return folder


def left_aside(folder: Path, own: str = "", pyproject: str = "") -> str:
    """The one note on what a project said in vain; nothing of it is used."""
    found, notes = read_settings(project(folder, own, pyproject), {})
    (note,) = notes

    assert found == Settings()
    return note


def test_without_any_place_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(None, {}) == Settings()
    assert load_settings(tmp_path, {}, tmp_path / "none.toml") == Settings()


def test_each_place_overrides_the_ones_below_it(tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_text("limit = 2\nper_file = 2\nweight_name = 2\nlane_dense = 2\n", encoding="utf-8")
    root = project(
        tmp_path,
        own="weight_name = 4\nlane_dense = 4.0\n",
        pyproject="[tool.plait]\nper_file = 3\nweight_name = 3\nlane_dense = 3.0\n",
    )
    found = load_settings(root, {"PLAIT_LANE_DENSE": "5"}, user)

    assert (found.limit, found.per_file, found.weight_name, found.lane_dense) == (2, 3, 4, 5.0)


def test_a_pyproject_of_others_says_nothing(tmp_path: Path) -> None:
    root = project(tmp_path, pyproject='[tool.ruff]\nlimit = 3\n[project]\nname = "x"\n')

    assert load_settings(root, {}) == Settings()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max-bytes = 5", Settings(max_bytes=5)),
        ("hidden = true", Settings(hidden=True)),
        ('exclude = ["*.min.js", "vendor/"]', Settings(exclude=("*.min.js", "vendor/"))),
        ("lane_dense = 3", Settings(lane_dense=3.0)),
        ("per_file = 0", Settings(per_file=0)),
    ],
)
def test_a_file_sets(text: str, expected: Settings, tmp_path: Path) -> None:
    assert load_settings(project(tmp_path, text), {}) == expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"PLAIT_LIMIT": "7"}, Settings(limit=7)),
        ({"PLAIT_HIDDEN": "1", "PLAIT_REFRESH": "No"}, Settings(hidden=True, refresh=False)),
        ({"PLAIT_EXCLUDE": "a, b ,,c"}, Settings(exclude=("a", "b", "c"))),
        ({"PLAIT_CACHE_DIR": "/y"}, Settings(cache_dir="/y")),
        ({"PLAIT_STORE": "opensearch://h/c"}, Settings(store="opensearch://h/c")),
        ({"PLAIT_STORE_USER": "u", "PLAIT_STORE_PASSWORD": "p"}, Settings()),
        ({"PLAIT_SHARED": "x", "PLAIT_OFFLINE": "1", "PLAIT_CORPORA": "y"}, Settings()),
        ({"PLAIT_OF_ANOTHER_PROGRAM": "1", "LIMIT": "3", "plait_limit": "3"}, Settings()),
    ],
)
def test_the_environment_sets(variables: dict[str, str], expected: Settings) -> None:
    assert load_settings(None, variables) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limit = true", "setting limit in .* must be a whole number, got True"),
        ('limit = "many"', "must be a whole number, got 'many'"),
        ("limit = [1]", "must be a whole number"),
        ("limit = nan", "must be a whole number"),
        ("lane_dense = nothing", r".plait.toml is not read: Invalid value \(at line 1"),
        ('lane_dense = "x"', "must be a number, got 'x'"),
        ("hidden = 1", "must be true or false, got 1"),
        ('hidden = "perhaps"', "must be true or false"),
        ("exclude = [1]", "must be a list of strings"),
        ("exclude = 3", "must be a list of strings"),
        ("limit = 0", r"setting limit in .*plait\.toml must be at least 1, got 0"),
        ("per_file = -1", "setting per_file in .* must be at least 0, got -1"),
        ("lane_dense = -1.5", "at least 0"),
        ("lane_dense = nan", "must be a number, got nan"),
        ("lane_dense = inf", "at most"),
        ("lane_dense = 1e308", "at most"),
        ("lane_dense = 1001", "at most 1,000, got 1001"),
        ("limit = 0x" + "f" * 20_000, "at most 1,000, got a number of thousands of digits"),
        ("hidden = 0x" + "f" * 20_000, "true or false, got a number of thousands of digits"),
        ('mode = "x"', "mode in .* must be one of lexical, dense, hybrid, got 'x'"),
        ('fusion = ""', "fusion in .* must be one of rrf, intersection, minmax, max, got ''"),
        ('identifiers = "all"', "identifiers in .* must be one of both, parts, whole, got 'all'"),
        ("weight_body = 11", "at most 10, got 11"),
        ("limit = 1_000_000_000", "setting limit in .*plait.toml must be at most 1,000, got"),
        ("max_bytes = 1_000_000_000_000", "max_bytes in .* must be at most 4,194,304, got 1000"),
        ("exclude = [" + '"a",' * 1001 + "]", "at most 1,000 globs"),
        (f'exclude = ["{"a" * 1001}"]', "got 1 of up to 1,001"),
        ("limit" + ".a" * 30 + " = 1", r"must be a whole number, got {'a': {'a': "),
        ("max_bytes = 0", "at least 1"),
        ("limit = 2.9", "must be a whole number"),
        ("limit = inf", "must be a whole number"),
        ("limt = 3", r"ignored: .* 'limt' in .*plait\.toml \(did you mean 'limit'\?\)$"),
        ("qqqq = 3", r"ignored: unknown setting 'qqqq' in .*plait\.toml$"),
        ("[tool.plait]\nlimit = 3", r"\(the heading \[tool\.plait\] is for pyproject\.toml"),
    ],
)
def test_a_line_of_a_project_that_cannot_work_is_left_aside_with_a_note(
    text: str, message: str, tmp_path: Path
) -> None:
    assert re.search(message, left_aside(tmp_path, text))


def test_a_pyproject_says_under_which_heading_it_is_wrong(tmp_path: Path) -> None:
    heading = f"[tool.plait] of {tmp_path / 'pyproject.toml'}"

    assert f"{heading} must be a table, got 3" in left_aside(tmp_path, "", "[tool]\nplait = 3\n")
    assert f"'x' in {heading}" in left_aside(tmp_path, "", "[tool.plait]\nx = 3\n")


def test_the_other_lines_of_a_project_count(tmp_path: Path) -> None:
    root = project(tmp_path, "limt = 3\nper_file = 2\nworkers = 8\nlimit = 4\nlimit-s = 1\n")
    found, notes = read_settings(root, {})

    assert found == Settings(per_file=2, limit=4)
    assert len(notes) == 3


def test_of_many_bad_lines_the_first_three_are_told_in_no_time(tmp_path: Path) -> None:
    lines = "".join(f"limit{n} = 1\n" for n in range(15_000))
    began = time.process_time()
    found, notes = read_settings(project(tmp_path, lines, "[tool.plait]\nlimit = 0\n"), {})

    assert found == Settings()
    assert "must be at least 1" in notes[0]
    assert "'limit1'" in notes[2]
    assert notes[3:] == ("and 14,998 more in the project's settings",)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("limt = 3", "unknown setting 'limt' in .*user.toml", "did you mean 'limit'?"),
        ("qqqq = 3", "unknown setting 'qqqq' in .*user.toml", "known: cache_dir, store, workers"),
        ("limit = ", "cannot read .*user.toml", ""),
        ("limit = true", "limit in .*user.toml must be a whole number, got True", ""),
        ("limit = 0", "setting limit must be at least 1, got 0", ""),
    ],
)
def test_a_mistake_in_the_users_own_file_is_an_error(
    text: str, message: str, hint: str, tmp_path: Path
) -> None:
    users = tmp_path / "user.toml"
    users.write_text(text, encoding="utf-8")

    with pytest.raises(SettingError, match=message) as caught:
        load_settings(None, {}, users)
    assert caught.value.hint.startswith(hint)


def test_what_a_project_may_choose_from_is_what_there_is() -> None:
    choices = {name: set(known) for name, known in CHOICES.items()}

    assert choices == {
        "identifiers": {tokens.BOTH, tokens.PARTS, tokens.WHOLE},
        "mode": set(MODES),
        "fusion": set(METHODS),
    }


def test_a_bad_variable_is_refused() -> None:
    with pytest.raises(SettingError, match="limit in the environment must be a whole number"):
        load_settings(None, {"PLAIT_LIMIT": "ten"})


@pytest.mark.parametrize(
    "text",
    [
        'cache_dir = "/x"',
        "include-secrets = true",
        'store = "opensearch://h/c"',
        'model = "x"',
        "workers = 2",
        "wait-s = 3",
        "no_ignore = true",
        "refresh = false",
    ],
)
def test_what_is_the_users_alone_cannot_be_set_by_a_project(text: str, tmp_path: Path) -> None:
    """A cloned repository must not choose where files are written or sent, or what is shown."""
    assert "it is the user's alone" in left_aside(tmp_path, text)
    users = tmp_path / "user.toml"
    users.write_text(text, encoding="utf-8")

    assert load_settings(None, {}, users) != Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("workers", "1000000"),
        ("workers", "-1"),
        ("wait_s", "inf"),
        ("wait_s", "nan"),
        ("wait_s", "1e308"),
        ("wait_s", "-1"),
        ("limit", "10001"),
        ("per_file", "10001"),
        ("max_bytes", "1000000000000"),
    ],
)
def test_not_even_the_user_lifts_a_ceiling(name: str, value: str, tmp_path: Path) -> None:
    """A slip of the hand must not take all memory, or wait for ever."""
    user = tmp_path / "user.toml"
    user.write_text(f"{name} = {value}\n", encoding="utf-8")

    with pytest.raises(SettingError, match=f"setting {name} .*must be a"):
        load_settings(None, {}, user)
    with pytest.raises(SettingError, match=f"setting {name} must be at"):
        load_settings(None, {f"PLAIT_{name.upper()}": value})
    with pytest.raises(SettingError, match=f"setting {name} must be at"):
        Settings(**{name: float(value)})  # type: ignore[arg-type]  # one of many types


def test_the_user_may_set_more_than_a_project(tmp_path: Path) -> None:
    big = str(32 << 20)

    note = left_aside(tmp_path, f"max_bytes = {big}")

    assert "PLAIT_MAX_BYTES may set up to 67,108,864" in note
    assert load_settings(None, {"PLAIT_MAX_BYTES": big}).max_bytes == 32 << 20


@pytest.mark.parametrize("of", ["store", "model"])
def test_no_file_can_let_a_secret_go_over_a_network_in_the_open(of: str, tmp_path: Path) -> None:
    line = f"{of}_allow_cleartext = 1\n"
    users = tmp_path / "config.toml"
    users.write_text(line, encoding="utf-8")

    with pytest.raises(SettingError, match="unknown setting"):
        load_settings(None, {}, users)
    assert "unknown setting" in left_aside(tmp_path, line)


def test_every_number_has_bounds_and_its_default_lies_within_a_projects() -> None:
    numbers = {
        field.name: field.default
        for field in fields(Settings)
        if isinstance(field.default, int | float) and not isinstance(field.default, bool)
    }

    assert numbers.keys() == BOUNDS.keys()
    for name, default in numbers.items():
        least, most, by_project = BOUNDS[name]
        assert least <= default <= most
        assert by_project <= most
        assert default <= by_project or name in USERS_ONLY


def test_the_page_about_settings_says_what_the_code_does() -> None:
    page = (Path(__file__).parent.parent / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)\|$", page, re.MULTILINE))

    assert rows.keys() == {field.name for field in fields(Settings)}
    for name, row in rows.items():
        _, bounds, project, *_ = (cell.strip() for cell in row.split("|"))
        assert (project == "*yours*") == (name in USERS_ONLY), name
        if name in BOUNDS:
            least, most, by_project = BOUNDS[name]
            assert bounds == f"{least} to {most:,}", name
            assert project in ("*yours*", "yes" if by_project == most else f"to {by_project:,}")


def test_the_page_about_settings_has_the_groups_of_the_code() -> None:
    page = (Path(__file__).parent.parent / "docs" / "settings.md").read_text(encoding="utf-8")
    sections = page.split("\n### ")[1:]
    told = [re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) for section in sections]
    groups = [[one.name for one in fields(group)] for group in reversed(Settings.__bases__)]

    assert told == groups
