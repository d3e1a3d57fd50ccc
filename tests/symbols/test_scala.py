"""What the query file of Scala reads off a file."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import docstring, lines, read, references, signature, symbols

SHAPES = """\
    package geometry.plane

    import geometry.Canvas
    import geometry.pens.{Brush, Pen => P}

    /** A round thing. */
    @serializable
    abstract class Circle[T <: Number](val radius: Double, center: Point[T])
        extends Shape[T](center) with Drawable with ui.Thing[T] {
      def this(radius: Double) = this(radius, null)
      type Unit2 = T
      val name = "circle"
      def area: Double = pi() * radius
      def +(other: Circle[T]): Circle[T] = this
      def draw(canvas: Canvas)(implicit pen: Pen): Option[Line] = {
        def twice(x: Int) = x * 2
        canvas.line(twice(1))
        pen.lift[Int](2)
        new Line(1)
      }
      def fill(path: Seq[Point[T]]): Unit
    }

    object Circle extends Factory {
      val Sides = 0
      def apply(radius: Double) = make(radius)
    }

    sealed trait Drawable
    case class Line(from: Point, to: Point)
    case object Nowhere extends Place
    package object units { val Inch = 2.54 }
    """

MODERN = """\
    package geometry

    enum Color(val rgb: Int) extends Named:
      case Red extends Color(1)
      case Green, Blue
      def mix = 1

    object Registry:
      def add(circle: Circle): Int =
        count(circle)
      // How many fit.
      val Limit = 3

    given order: Ordering[Circle] with
      def compare(a: Circle, b: Circle) = 1

    extension (circle: Circle)
      def scaled: Circle = circle

    opaque type Angle = Double
    def rotate(angle: Angle): Unit = turn(angle)
    val North = 0
    """


def test_every_kind_of_declaration_is_a_symbol() -> None:
    assert symbols("scala", SHAPES) == [
        ("Circle", "class"),
        ("Circle.this", "constructor"),
        ("Circle.Unit2", "type"),
        ("Circle.area", "method"),
        ("Circle.+", "method"),
        ("Circle.draw", "method"),
        ("Circle.draw.twice", "function"),
        ("Circle.fill", "method"),
        ("Circle", "object"),
        ("Circle.Sides", "constant"),
        ("Circle.apply", "method"),
        ("Drawable", "trait"),
        ("Line", "class"),
        ("Nowhere", "object"),
        ("units", "object"),
        ("units.Inch", "constant"),
    ]


def test_what_scala_3_added_is_a_symbol() -> None:
    assert symbols("scala", MODERN) == [
        ("Color", "enum"),
        ("Color.mix", "method"),
        ("Registry", "object"),
        ("Registry.add", "method"),
        ("Registry.Limit", "constant"),
        ("order", "object"),
        ("order.compare", "method"),
        ("Circle.scaled", "method"),
        ("Angle", "type"),
        ("rotate", "function"),
        ("North", "constant"),
    ]


def test_an_indented_body_ends_with_its_last_line() -> None:
    found = lines("scala", MODERN)

    assert found["Registry.add"] == (9, 10)
    assert found["Registry.Limit"] == (11, 12)


def test_annotations_and_the_comment_above_belong_to_a_class() -> None:
    first = read("scala", SHAPES)[0]

    assert (first.first_row, first.last_row) == (5, 21)
    assert docstring("scala", SHAPES, "Circle") == "/** A round thing. */"


def test_a_signature_ends_where_the_body_begins() -> None:
    assert signature("scala", SHAPES, "Circle.draw") == (
        "def draw(canvas: Canvas)(implicit pen: Pen): Option[Line] ="
    )


def test_what_comes_after_with_is_a_trait() -> None:
    assert references("scala", SHAPES, Relation.EXTENDS) == ["Shape", "Factory", "Place"]
    assert references("scala", SHAPES, Relation.IMPLEMENTS) == ["Drawable", "Thing"]


def test_calls_are_methods_and_constructors() -> None:
    assert references("scala", SHAPES, Relation.CALLS) == [
        "this",
        "pi",
        "line",
        "twice",
        "lift",
        "Line",
        "make",
    ]


def test_uses_are_types_and_annotations_but_no_builtin_or_type_parameter() -> None:
    used = set(references("scala", SHAPES, Relation.USES))

    assert used == {
        "Canvas", "Circle", "Line", "Number", "Option", "Pen", "Point", "Seq", "serializable",
    }  # fmt: skip


def test_imports_are_paths_without_their_selectors() -> None:
    assert references("scala", SHAPES, Relation.IMPORTS) == ["geometry.Canvas", "geometry.pens"]


def test_a_package_in_braces_does_not_qualify_what_is_inside() -> None:
    text = "package a.b {\n  val Limit = 1\n  class C\n}\n"

    assert symbols("scala", text) == [("Limit", "constant"), ("C", "class")]


def test_a_given_without_a_name_is_qualified_by_its_type() -> None:
    text = "given Ordering[Circle] with\n  def compare(a: Circle, b: Circle) = a max b\n"

    assert symbols("scala", text) == [("Ordering.compare", "method")]
    assert references("scala", text, Relation.CALLS) == ["max"]


def test_derived_classes_are_implemented() -> None:
    text = "enum Color derives Eq:\n  case Red\n"

    assert references("scala", text, Relation.IMPLEMENTS) == ["Eq"]


def test_a_member_of_an_anonymous_class_is_qualified_by_what_that_extends() -> None:
    text = "object A {\n  def f = new Monad[B] with C {\n    def pure = 1\n  }\n}\n"

    assert symbols("scala", text)[1:] == [("A.f", "method"), ("A.f.Monad.pure", "method")]
