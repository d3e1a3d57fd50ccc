"""What the query file of Elixir reads off a file."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import docstring, lines, references, signature, symbols

SHAPES = """\
    defmodule Geometry.Circle do
      @moduledoc "A round thing."
      use Agent, restart: :temporary
      import Enum, only: [map: 2]
      alias Geometry.{Line, Point}
      require Logger
      @behaviour Geometry.Drawable

      @sides 0
      @type t :: %Point{x: integer}
      @callback fill(path :: list) :: :ok

      @doc "Draws it."
      @spec draw(t, keyword) :: :ok
      def draw(circle, opts \\\\ []) when is_map(circle) do
        circle |> Enum.map(&point/1) |> finish
        Canvas.line(twice(@sides))
      end

      # The rest.
      def draw(:none), do: :ok

      defp twice(x) when x > 1, do: x * 2
      defp twice(x), do: x
      def name, do: "circle"
      defmacro trace(x) do
        quote do: unquote(x)
      end
      defguard is_round(x) when x == 0

      defmodule Inner do
        def deep, do: 1
      end
    end

    defprotocol Geometry.Area do
      @doc "The area."
      def area(shape)
    end

    defimpl Geometry.Area, for: Geometry.Circle do
      def area(circle), do: 3
    end

    defmodule Geometry.CircleTest do
      test "draws a/b: twice", %{pen: pen} do
        assert ready?(pen)
      end
    end
    """


def test_every_kind_of_declaration_is_a_symbol() -> None:
    assert symbols("elixir", SHAPES) == [
        ("Geometry.Circle", "module"),
        ("Geometry.Circle.sides", "constant"),
        ("Geometry.Circle.t", "type"),
        ("Geometry.Circle.fill", "function"),
        ("Geometry.Circle.draw", "function"),
        ("Geometry.Circle.twice", "function"),
        ("Geometry.Circle.name", "function"),
        ("Geometry.Circle.trace", "macro"),
        ("Geometry.Circle.is_round", "macro"),
        ("Geometry.Circle.Inner", "module"),
        ("Geometry.Circle.Inner.deep", "function"),
        ("Geometry.Area", "interface"),
        ("Geometry.Area.area", "method"),
        ("Geometry.Circle.area", "method"),
        ("Geometry.CircleTest", "module"),
        ("Geometry.CircleTest.draws a/b: twice", "test"),
    ]


def test_clauses_are_one_symbol_with_its_attributes() -> None:
    assert lines("elixir", SHAPES)["Geometry.Circle.draw"] == (13, 21)
    assert docstring("elixir", SHAPES, "Geometry.Circle.draw") == '@doc "Draws it."'
    assert lines("elixir", SHAPES)["Geometry.Circle.twice"] == (23, 24)


def test_a_signature_ends_where_the_body_begins() -> None:
    assert signature("elixir", SHAPES, "Geometry.Circle.twice") == "defp twice(x) when x > 1,"
    assert signature("elixir", SHAPES, "Geometry.Circle") == "defmodule Geometry.Circle"


def test_a_module_is_documented_by_its_moduledoc() -> None:
    assert docstring("elixir", SHAPES, "Geometry.Circle") == '"A round thing."'
    assert docstring("elixir", SHAPES, "Geometry.Area") == ""


def test_calls_include_pipes_and_captures_but_no_definition() -> None:
    called = references("elixir", SHAPES, Relation.CALLS)

    assert {"map", "point", "finish", "line", "twice", "assert", "ready?"} <= set(called)
    assert not set(called) & {"def", "defp", "use", "name", "is_round", "trace", "sides"}


def test_behaviours_protocols_and_used_modules_are_implemented() -> None:
    assert references("elixir", SHAPES, Relation.IMPLEMENTS) == ["Agent", "Drawable", "Area"]


def test_structs_are_used() -> None:
    assert references("elixir", SHAPES, Relation.USES) == ["Point"]


def test_imports_are_modules_as_written() -> None:
    assert references("elixir", SHAPES, Relation.IMPORTS) == [
        "Enum",
        "Geometry.{Line,Point}",
        "Logger",
    ]


def test_operators_and_documented_protocols_are_symbols() -> None:
    text = """\
        defprotocol Area do
          @moduledoc "Areas."
          # Sums them.
          def a + b
        end
        """

    assert symbols("elixir", text) == [("Area", "interface"), ("Area.+", "method")]
    assert docstring("elixir", text, "Area") == '"Areas."'
    assert docstring("elixir", text, "Area.+") == "# Sums them."
