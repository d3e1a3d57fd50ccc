"""What the query file of JavaScript reads off a file."""

from __future__ import annotations

from tests.symbols.notation import docstring, lines, mentions, signature, symbols

STORE = """\
import fs, { open as openFile } from "./files.js";
const path = require("path");

/** How many. */
export const LIMIT = 10;

// A store.
@sealed
export class Store extends base.Box {
  static SIZE = 3;
  count = 0;
  #secret() {}
  onChange = (event) => { this.emit(event); };
  constructor(items) { super(items); }
  get total() { return new Sum(this); }
}

export default function* walk() {}
const add = async (a, b) => plus(a, b);
const api = {
  list() {},
  find: function (id) { return id; },
  depth: 1,
};
Store.prototype.close = function () {};
app.use = function use(handler) {};
exports.helper = () => 1;
module.exports = function create() {};
const Card = class extends Panel {};
items.map(function callback(item) { return item; });
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("javascript", STORE) == [
        ("LIMIT", "constant"),
        ("Store", "class"),
        ("Store.SIZE", "constant"),
        ("Store.secret", "method"),
        ("Store.onChange", "method"),
        ("Store.constructor", "constructor"),
        ("Store.total", "method"),
        ("walk", "function"),
        ("add", "function"),
        ("api", "constant"),
        ("api.list", "function"),
        ("api.find", "function"),
        ("Store.close", "method"),
        ("app.use", "method"),
        ("helper", "function"),
        ("create", "function"),
        ("Card", "class"),
    ]


def test_comments_and_decorators_above_belong_to_the_definition() -> None:
    assert lines("javascript", STORE)["LIMIT"] == (4, 5)
    assert lines("javascript", STORE)["Store"] == (7, 16)
    assert docstring("javascript", STORE, "Store") == "// A store."


def test_signature_ends_where_the_body_begins() -> None:
    assert signature("javascript", STORE, "add") == "add = async (a, b) =>"
    assert signature("javascript", STORE, "app.use") == "app.use = function use(handler)"


def test_references_in_order_of_appearance() -> None:
    assert mentions("javascript", STORE) == [
        "uses open",
        "imports ./files.js",
        "calls require",
        "imports path",
        "uses sealed",
        "extends Box",
        "calls emit",
        "calls Sum",
        "calls plus",
        "extends Panel",
        "calls map",
    ]


def test_elements_call_components_but_not_tags() -> None:
    code = "const page = () => <main><Card.Title /><Button>go</Button></main>;\n"

    assert mentions("javascript", code) == ["calls Title", "calls Button"]


def test_blocks_of_test_frameworks_go_by_their_sentence() -> None:
    code = "describe('a list', () => {\n  it.only(`holds a/b: 1.5`, async () => { run(); });\n});\n"

    assert symbols("javascript", code) == [("a list", "test"), ("a list.holds a/b: 1.5", "test")]


def test_modules_before_classes_hold_their_constants_in_variables() -> None:
    code = "var fs = require('fs');\nvar find = createFind(function (x) {});\nvar n = 1;\n"

    assert symbols("javascript", code) == [("find", "constant")]


def test_default_export_without_a_name_is_called_default() -> None:
    assert symbols("javascript", "export default () => 1;\n") == [("default", "function")]


def test_functions_bound_inside_functions_are_qualified_by_them() -> None:
    code = "function outer() {\n  const inner = () => 1;\n  const n = 2;\n}\n"

    assert symbols("javascript", code) == [("outer", "function"), ("outer.inner", "function")]


def test_a_comment_belongs_to_the_outermost_definition_of_its_line() -> None:
    code = "// A box.\nclass Box { open() {} }\n"

    assert docstring("javascript", code, "Box") == "// A box."
    assert docstring("javascript", code, "Box.open") == ""
