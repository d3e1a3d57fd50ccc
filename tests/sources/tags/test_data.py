"""Locales, migrations, certificates and stubs are known by what they are called and hold."""

from __future__ import annotations

import pytest

from plait.sources.tags import tags_of

CERTIFICATE = b"-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n"


@pytest.mark.parametrize(
    "path",
    [
        "django/conf/locale/fr/formats.py",
        "app/locale/de/LC_MESSAGES/app.po",
        "config/locales/en.yml",
        "config/locales/devise.pt-BR.yml",
        "src/locales/zh-CN.ts",
        "languages/i18n/de.json",
        "languages/messages/MessagesHu_formal.php",
        "resources/lang/en/auth.php",
        "Resources/translations/validators.sr_Latn.xlf",
        "res/values-pt-rBR/strings.xml",
        "src/main/resources/messages_fr.properties",
        "App/en.lproj/Localizable.strings",
    ],
)
def test_texts_of_one_language_are_a_locale(path: str) -> None:
    assert tags_of(path, b"x\n") == ("locale",)


@pytest.mark.parametrize(
    "path",
    [
        "messages/no-config-found.js",
        "src/languages/cs.js",
        "java/lang/Math.java",
        "locale/parser.py",
        "locale/api.py",
        "src/i18n/index.ts",
        "src/io.py",
    ],
)
def test_code_about_languages_is_code(path: str) -> None:
    assert "locale" not in tags_of(path, b"x\n")


@pytest.mark.parametrize(
    ("path", "content", "is_migration"),
    [
        ("shop/migrations/0001_initial.py", b"x\n", True),
        ("db/migrate/20091220184736_add_index.rb", b"x\n", True),
        ("db/migrate/083_add_messages_sticky.rb", b"x\n", True),
        ("database/migrations/2014_10_12_000000_create_users.php", b"x\n", True),
        ("priv/repo/migrations/20160626215043_create_people.exs", b"x\n", True),
        ("Migrations/20200101120000_Init.cs", b"x\n", True),
        ("Migrations/ShopModelSnapshot.cs", b"x\n", True),
        ("prisma/migrations/20210704022928_dates/migration.sql", b"x\n", True),
        ("db/V2_1__add_key.sql", b"x\n", True),
        ("alembic/versions/ae10_add.py", b'"""x"""\ndown_revision = "a"\n', True),
        ("alembic/versions/ae10_add.py", b"x\n", False),
        ("django/db/migrations/executor.py", b"x\n", False),
        ("lib/migration/runner.rb", b"x\n", False),
        ("sql/schema.sql", b"x\n", False),
    ],
)
def test_a_migration_is_a_numbered_step(path: str, content: bytes, is_migration: bool) -> None:
    assert ("migration" in tags_of(path, content)) is is_migration


@pytest.mark.parametrize(
    ("path", "content", "is_certificate"),
    [
        ("ca/root.crt", CERTIFICATE, True),
        ("ca/bundle", CERTIFICATE, True),
        ("ca/root.crt", b"course reports\n", False),
        ("src/pem.py", b'MARK = "-----BEGIN CERTIFICATE-----"\n', False),
    ],
)
def test_certificates_are_nothing_else(path: str, content: bytes, is_certificate: bool) -> None:
    assert ("certificate" in tags_of(path, content)) is is_certificate


@pytest.mark.parametrize(
    ("path", "content", "is_stub"),
    [
        ("a/core.pyi", b"x\n", True),
        ("index.d.ts", b"x\n", True),
        ("index.d.cts", b"x\n", True),
        ("sorbet/a.rbi", b"x\n", True),
        ("ext/date.stub.php", b"x\n", True),
        ("library/vim.lua", b"---@meta\n", True),
        ("src/world.ts", b"x\n", False),
        ("src/meta.lua", b"local meta = {}\n", False),
    ],
)
def test_declarations_without_code_are_stubs(path: str, content: bytes, is_stub: bool) -> None:
    assert ("stub" in tags_of(path, content)) is is_stub


@pytest.mark.parametrize(
    ("path", "is_vendored"),
    [
        ("vendor/x/a.go", True),
        ("src/third_party/a.c", True),
        ("static/js/vendor/select2.css", True),
        ("deps/jemalloc/a.c", True),
        ("ios/Pods/A.m", True),
        ("pkg/apis/core/pods/helpers.go", False),
        ("core/src/main/kotlin/org/a/vendors/Dialect.kt", False),
        ("com/google/thirdparty/Trie.java", False),
        ("tests/fixtures/vendor/composer/installed.json", False),
        ("lib/vendor.rb", False),
    ],
)
def test_copies_are_known_by_their_folders(path: str, is_vendored: bool) -> None:
    assert ("vendored" in tags_of(path, b"x\n")) is is_vendored
