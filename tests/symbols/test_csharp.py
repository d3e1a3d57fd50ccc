"""What the query file of C# reads off a file."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import docstring, lines, references, signature, symbols

SHAPES = """\
    using System;
    using Io = System.IO;

    namespace Geometry.Plane
    {
        /// <summary>A round thing.</summary>
        [Serializable, Json.Name("circle")]
        public class Circle<T> : Shape<T>, IDrawable, Ui.IThing where T : INumber
        {
            public const int Sides = 0;
            static readonly Point[] Corners = { };
            private List<Point> cache;

            public Circle(double radius) : base(radius) { }
            ~Circle() { }

            public string Name { get; set; }
            public double Area { get { return Pi(); } }
            public double Width => 2 * Radius;
            public Point this[int index] { get { return cache[index]; } }

            public static Circle<T> operator +(Circle<T> a, Circle<T> b) { return a; }
            void IDrawable.Draw(Canvas canvas, Pen? pen)
            {
                int Twice(int x) => x * 2;
                canvas.Line(Twice(1));
                pen?.Lift<int>();
                new Point(1);
            }
            protected abstract Brush Fill(Point[] path);
        }

        interface IDrawable : IDisposable { void Draw(Canvas canvas, Pen pen); }
        enum Color { Red, Green }
        struct Point : IEquatable<Point> { }
        record Line(Point From, Point To) : Shape(From);
        record struct Size(int Width);
        delegate void Changed(object sender);
    #if DEBUG
        static class Probe { }
    #endif
    }
    """


def test_every_kind_of_declaration_is_a_symbol() -> None:
    assert symbols("csharp", SHAPES) == [
        ("Circle", "class"),
        ("Circle.Sides", "constant"),
        ("Circle.Corners", "constant"),
        ("Circle.Circle", "constructor"),
        ("Circle.~Circle", "method"),
        ("Circle.Area", "property"),
        ("Circle.Width", "property"),
        ("Circle.this", "property"),
        ("Circle.operator+", "method"),
        ("Circle.Draw", "method"),
        ("Circle.Draw.Twice", "function"),
        ("Circle.Fill", "method"),
        ("IDrawable", "interface"),
        ("IDrawable.Draw", "method"),
        ("Color", "enum"),
        ("Point", "struct"),
        ("Line", "class"),
        ("Size", "struct"),
        ("Changed", "type"),
        ("Probe", "class"),
    ]


def test_a_namespace_for_the_whole_file_does_not_qualify_what_follows_it() -> None:
    assert symbols("csharp", "namespace A.B;\n\nclass C { }\n") == [("C", "class")]


def test_attributes_and_the_comment_above_belong_to_a_class() -> None:
    assert lines("csharp", SHAPES)["Circle"] == (6, 31)
    assert docstring("csharp", SHAPES, "Circle").startswith("/// <summary>")


def test_a_signature_ends_where_the_body_begins() -> None:
    assert signature("csharp", SHAPES, "Circle.Circle") == (
        "public Circle(double radius) : base(radius)"
    )
    assert signature("csharp", SHAPES, "Circle.Width") == "public double Width"


def test_bases_are_told_apart_by_the_naming_convention() -> None:
    assert references("csharp", SHAPES, Relation.EXTENDS) == ["Shape", "IDisposable", "Shape"]
    assert references("csharp", SHAPES, Relation.IMPLEMENTS) == [
        "IDrawable",
        "IThing",
        "IEquatable",
    ]


def test_calls_are_methods_and_constructors() -> None:
    assert references("csharp", SHAPES, Relation.CALLS) == ["Pi", "Line", "Twice", "Lift", "Point"]


def test_uses_are_types_and_attributes_but_no_builtin_or_type_parameter() -> None:
    used = set(references("csharp", SHAPES, Relation.USES))

    assert {"Serializable", "Name", "INumber", "List", "Point", "Canvas", "Pen", "Brush"} <= used
    assert not used & {"T", "int", "double", "string", "object"}


def test_imports_are_namespaces_as_written() -> None:
    assert references("csharp", SHAPES, Relation.IMPORTS) == ["System", "System.IO"]


def test_conversions_indexers_and_events_are_members() -> None:
    text = """\
        class Box
        {
            public static implicit operator Money(Box box) => box.Worth;
            public int this[int index] => index;
            public event Handler Changed { add { } remove { } }
            public event Handler Plain;
        }
        record Crate(int Size) : Box;
        """

    assert symbols("csharp", text) == [
        ("Box", "class"),
        ("Box.Money", "method"),
        ("Box.this", "property"),
        ("Box.Changed", "property"),
        ("Crate", "class"),
    ]
    assert references("csharp", text, Relation.EXTENDS) == ["Box"]
