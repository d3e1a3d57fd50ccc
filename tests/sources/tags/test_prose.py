"""Documentation, licences and examples are known by their names and folders."""

from __future__ import annotations

import pytest

from plait.sources.tags import tags_of

DOCUMENTATION = ("documentation",)
LICENCE = ("documentation", "licence")


@pytest.mark.parametrize(
    ("path", "tags"),
    [
        ("README", DOCUMENTATION),
        ("SECURITY.md", DOCUMENTATION),
        ("INSTALL.txt", DOCUMENTATION),
        ("guide.rst", DOCUMENTATION),
        ("docs/conf.py", DOCUMENTATION),
        ("guides/source/kindle/toc.erb", DOCUMENTATION),
        ("documentation-website/main.css", DOCUMENTATION),
        ("man/page.xml", DOCUMENTATION),
        ("src/doc/book/ferris.js", DOCUMENTATION),
        ("tests/README.md", ("test", "documentation")),
        ("test/command/10057.md", ("test",)),
        ("src/security.py", ()),
        ("lib/history.js", ()),
        ("doc/man_docs.go", ()),
        ("components/manual/alarm.py", ()),
        ("app/views/docs/index.py", ()),
        ("LICENSE", LICENCE),
        ("LICENSE-MIT", LICENCE),
        ("LICENSE.ephox", LICENCE),
        ("COPYING.md", LICENCE),
        ("UNLICENSE", LICENCE),
        ("LICENSES/MIT.txt", LICENCE),
        ("src/license.py", ()),
        ("plugins/license_setting_v1_info.py", ()),
        ("partials/copyright.html", ()),
        ("api/license.json", ()),
    ],
)
def test_prose_and_licences_are_known_by_name_and_folder(path: str, tags: tuple[str, ...]) -> None:
    assert tags_of(path, b"x\n") == tags


@pytest.mark.parametrize(
    ("path", "is_example"),
    [
        ("examples/echo.rs", True),
        ("samples/app/src/main/java/A.java", True),
        ("Example-iOS/demos/View.swift", True),
        ("docs_src/tutorial001.py", True),
        ("demo/main.go", True),
        ("tsdb/example_test.go", True),
        ("config/database.example.yml", True),
        ("documentation-website/snippets/a/src/main/kotlin/A.kt", True),
        ("src/stats/sample/reservoir.py", False),
        ("includes/Metrics/Sample.php", False),
        ("tests/sample_data/index.html", False),
        ("src/resample.c", False),
    ],
)
def test_an_example_is_there_to_show_how_code_is_used(path: str, is_example: bool) -> None:
    assert ("example" in tags_of(path, b"x\n")) is is_example
