"""What the query file of Lua reads off a file."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import docstring, lines, references, signature, symbols

SHAPES = """\
    local json = require("dkjson")
    local class = require 'pl.class'

    local M = {}
    M.VERSION = "1.0"
    local SIDES <const> = 0
    local LIMITS = { low = 1, high = 2 }
    local counter = 0

    -- Draws a circle.
    -- Twice.
    function M.draw(canvas, pen)
      canvas:line(twice(1))
      local each = function(x) return x end
      M.last = function() return pen end
      return json.encode(pen)
    end

    function M:area() return 3 end

    local function twice(x) return x * 2 end

    --- Fills it.
    local fill = function(path) return path end

    local handlers = {
      open = function() end,
      ["close"] = function() end,
      nested = { deep = function() end },
    }

    return M
    """


def test_functions_and_constants_are_symbols() -> None:
    assert symbols("lua", SHAPES) == [
        ("M.VERSION", "constant"),
        ("SIDES", "constant"),
        ("LIMITS", "constant"),
        ("M.draw", "method"),
        ("M.draw.M.last", "method"),
        ("M.area", "method"),
        ("twice", "function"),
        ("fill", "function"),
        ("handlers.open", "method"),
        ("handlers.close", "method"),
        ("handlers.nested.deep", "method"),
    ]


def test_the_comment_above_belongs_to_a_function() -> None:
    found = lines("lua", SHAPES)

    assert found["M.draw"] == (10, 17)
    assert found["fill"] == (23, 24)
    assert docstring("lua", SHAPES, "M.draw") == "-- Draws a circle.\n-- Twice."
    assert docstring("lua", SHAPES, "fill") == "--- Fills it."


def test_a_signature_ends_where_the_body_begins() -> None:
    assert signature("lua", SHAPES, "M.draw") == "function M.draw(canvas, pen)"


def test_calls_are_functions_and_methods_but_not_require() -> None:
    assert references("lua", SHAPES, Relation.CALLS) == ["line", "twice", "encode"]


def test_imports_are_required_modules() -> None:
    assert references("lua", SHAPES, Relation.IMPORTS) == ["dkjson", "pl.class"]


def test_globals_are_symbols_as_locals_are() -> None:
    text = "run = function() end\nhooks = { start = function() end }\n"

    assert symbols("lua", text) == [("run", "function"), ("hooks.start", "method")]


def test_what_busted_is_given_is_a_test() -> None:
    text = """\
        describe("gears.object", function()
            it("connects a signal", function()
                local function called() end
                object:connect(called)
            end)
        end)
        it(name, function() end)
        """

    assert symbols("lua", text) == [
        ("gears.object", "test"),
        ("gears.object.connects a signal", "test"),
        ("gears.object.connects a signal.called", "function"),
    ]
