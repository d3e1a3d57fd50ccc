"""Settings: which place wins, and what is refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.errors import SettingError
from plait.settings import Settings, load_settings


def project(folder: Path, own: str = "", pyproject: str = "") -> Path:
    if own:
        (folder / ".plait.toml").write_text(own, encoding="utf-8")
    if pyproject:
        (folder / "pyproject.toml").write_text(pyproject, encoding="utf-8")
    return folder


def test_without_any_place_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(None, {}) == Settings()
    assert load_settings(tmp_path, {}, tmp_path / "none.toml") == Settings()


def test_each_place_overrides_the_ones_below_it(tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_text("limit = 2\nper_file = 2\nworkers = 2\nwait_s = 2\n", encoding="utf-8")
    root = project(
        tmp_path,
        own="workers = 4\nwait_s = 4.0\n",
        pyproject="[tool.plait]\nper_file = 3\nworkers = 3\nwait_s = 3.0\n",
    )
    found = load_settings(root, {"PLAIT_WAIT_S": "5"}, user)

    assert (found.limit, found.per_file, found.workers, found.wait_s) == (2, 3, 4, 5.0)


def test_a_pyproject_of_others_says_nothing(tmp_path: Path) -> None:
    root = project(tmp_path, pyproject='[tool.ruff]\nlimit = 3\n[project]\nname = "x"\n')

    assert load_settings(root, {}) == Settings()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max-bytes = 5", Settings(max_bytes=5)),
        ("hidden = true", Settings(hidden=True)),
        ('exclude = ["*.min.js", "vendor/"]', Settings(exclude=("*.min.js", "vendor/"))),
        ("wait_s = 3", Settings(wait_s=3.0)),
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
        ("wait_s = nothing", "cannot read .*plait.toml"),
        ('wait_s = "x"', "must be a number, got 'x'"),
        ("hidden = 1", "must be true or false, got 1"),
        ('hidden = "perhaps"', "must be true or false"),
        ("exclude = [1]", "must be a list of strings"),
        ("exclude = 3", "must be a list of strings"),
        ("limit = 0", "setting limit must be at least 1, got 0"),
        ("per_file = -1", "setting per_file must be at least 0, got -1"),
        ("workers = -1", "at least 0"),
        ("max_bytes = 0", "at least 1"),
    ],
)
def test_a_value_that_cannot_work_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=message):
        load_settings(project(tmp_path, text), {})


@pytest.mark.parametrize("value", ["2.9", "inf"])
def test_only_a_whole_number_is_a_whole_number(value: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="must be a whole number"):
        load_settings(project(tmp_path, f"limit = {value}"), {})


def test_a_tool_entry_that_is_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError):
        load_settings(project(tmp_path, pyproject="[tool]\nplait = 3\n"), {})


def test_an_unknown_key_is_refused_with_what_may_have_been_meant(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"unknown setting 'limt' in .*plait\.toml") as caught:
        load_settings(project(tmp_path, "limt = 3"), {})

    assert caught.value.hint == "did you mean 'limit'?"


def test_an_unknown_key_like_no_other_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(SettingError) as caught:
        load_settings(project(tmp_path, pyproject="[tool.plait]\nqqqq = 3\n"), {})

    assert caught.value.hint.startswith("known: cache_dir, store")


def test_a_bad_variable_is_refused() -> None:
    with pytest.raises(SettingError, match="limit in the environment must be a whole number"):
        load_settings(None, {"PLAIT_LIMIT": "ten"})


@pytest.mark.parametrize(
    "text", ['cache_dir = "/x"', "include-secrets = true", 'store = "opensearch://h/c"']
)
def test_what_is_the_users_alone_cannot_be_set_by_a_project(text: str, tmp_path: Path) -> None:
    """A cloned repository must not choose where files are written or sent, or what is shown."""
    with pytest.raises(SettingError, match="it is the user's alone"):
        load_settings(project(tmp_path, text), {})
    users = tmp_path / "user.toml"
    users.write_text(text, encoding="utf-8")

    assert load_settings(None, {}, users) != Settings()
