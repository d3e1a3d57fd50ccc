"""What the query file of Kotlin reads off a file."""

from __future__ import annotations

from plait.symbols.outline import outline
from plait.types import Relation
from tests.symbols.notation import docstring, lines, references, signature, symbols

SHAPES = """\
    package geometry.plane

    import geometry.Canvas
    import geometry.pens.*

    typealias Painter = (Canvas) -> Unit
    const val SIDES = 0
    val origin: Point = Point(0, 0)
    val version by lazy { 1 }

    /** A round thing. */
    @Serializable
    @Named("circle")
    open class Circle<T>(val radius: Double, center: Point) : Shape<T>(center), Drawable {
        constructor(radius: Double) : this(radius, origin) {
        }

        companion object {
            const val MAX = 9
            val unit = Circle(1.0)
            fun of(radius: Double) = Circle(radius)
        }

        val name = "circle"
        val area: Double
            get() = pi() * radius

        override fun draw(canvas: Canvas, pen: pens.Pen?) {
            fun twice(x: Int) = x * 2
            canvas.line(twice(1))
            pen?.lift { it }
            points.map(::point)
        }
    }

    fun List<Circle>.total(): Double = 0.0

    interface Drawable : Thing {
        fun draw(canvas: Canvas)
    }

    enum class Color(val rgb: Int) : Named {
        RED(1),
        GREEN(2);

        fun mix(other: Color): Color = other
    }

    object Registry : Base() {
        fun add(circle: Circle) {
        }
    }
    """


def test_every_kind_of_declaration_is_a_symbol() -> None:
    assert symbols("kotlin", SHAPES) == [
        ("Painter", "type"),
        ("SIDES", "constant"),
        ("origin", "constant"),
        ("version", "constant"),
        ("Circle", "class"),
        ("Circle.constructor", "constructor"),
        ("Circle.MAX", "constant"),
        ("Circle.unit", "constant"),
        ("Circle.of", "method"),
        ("Circle.area", "property"),
        ("Circle.draw", "method"),
        ("Circle.draw.twice", "function"),
        ("List.total", "method"),
        ("Drawable", "interface"),
        ("Drawable.draw", "method"),
        ("Color", "enum"),
        ("Color.mix", "method"),
        ("Registry", "object"),
        ("Registry.add", "method"),
    ]


def test_a_class_the_grammar_gives_up_on_keeps_its_name() -> None:
    found = outline("kotlin", b"open class Flags {\n  fun clear() {}\n  fun ) {\n").definitions

    assert [item.qualified_name for item in found] == ["Flags", "Flags.clear"]


def test_an_annotation_class_without_a_body_is_a_class() -> None:
    text = "package a\n\n@Target(CLASS)\n@Retention(BINARY)\nannotation class Named"

    assert symbols("kotlin", text) == [("Named", "class")]


def test_annotations_and_the_comment_above_belong_to_a_class() -> None:
    assert lines("kotlin", SHAPES)["Circle"] == (11, 34)
    assert docstring("kotlin", SHAPES, "Circle") == "/** A round thing. */"


def test_a_signature_ends_where_the_body_begins() -> None:
    assert signature("kotlin", SHAPES, "List.total") == ("fun List<Circle>.total(): Double")
    assert signature("kotlin", SHAPES, "Circle.area") == "val area: Double"


def test_a_supertype_with_arguments_is_a_class() -> None:
    assert references("kotlin", SHAPES, Relation.EXTENDS) == ["Shape", "Thing", "Base"]
    assert references("kotlin", SHAPES, Relation.IMPLEMENTS) == ["Drawable", "Named"]


def test_calls_include_those_with_a_lambda_and_function_references() -> None:
    called = references("kotlin", SHAPES, Relation.CALLS)

    assert {"lazy", "pi", "line", "twice", "lift", "map", "point", "Circle"} <= set(called)


def test_uses_are_types_and_annotations_but_no_builtin_or_type_parameter() -> None:
    used = set(references("kotlin", SHAPES, Relation.USES))

    assert used == {"Canvas", "Point", "Serializable", "Named", "Pen", "List", "Circle", "Color"}


def test_imports_are_paths_as_written() -> None:
    assert references("kotlin", SHAPES, Relation.IMPORTS) == ["geometry.Canvas", "geometry.pens"]


def test_members_of_objects_and_extension_properties_are_symbols() -> None:
    text = """\
        class Circle {
            companion object Factory : Maker {
                val unit = 1
            }
        }
        object Registry : Store {
            val empty = 0
        }
        // Half of it.
        val Circle.radius: Double
            get() = 1.0
        val runner = object : Runnable {
        }
        class Proxy : Store by other
        """

    assert symbols("kotlin", text) == [
        ("Circle", "class"),
        ("Circle.Factory", "object"),
        ("Circle.Factory.unit", "constant"),
        ("Registry", "object"),
        ("Registry.empty", "constant"),
        ("Circle.radius", "property"),
        ("runner", "constant"),
        ("Proxy", "class"),
    ]
    assert docstring("kotlin", text, "Circle.radius") == "// Half of it."
    assert references("kotlin", text, Relation.IMPLEMENTS) == [
        "Maker",
        "Store",
        "Runnable",
        "Store",
    ]


def test_infix_functions_and_bound_references_are_called() -> None:
    text = "fun f() {\n    a until b\n    list.map(Circle::area)\n    x(Circle::class)\n}\n"

    assert references("kotlin", text, Relation.CALLS) == ["until", "map", "area", "x"]


def test_annotation_classes_in_a_row_are_classes() -> None:
    text = """\
        @Target(CLASS)
        public annotation class First

        /** The second. */
        @Target(CLASS)
        public annotation class Second
        """

    assert symbols("kotlin", text) == [("First", "class"), ("Second", "class")]


def test_an_annotated_annotation_class_with_modifiers_is_a_class() -> None:
    text = "@Target(\n    A.B\n)\n@Optional\ninternal expect annotation class Named()\n"

    assert symbols("kotlin", text) == [("Named", "class")]


def test_a_member_of_an_anonymous_object_is_qualified_by_what_that_extends() -> None:
    text = """\
        class Cache {
            val sink = object : Forwarding(out) {
                override fun close() {}
            }
        }
        """

    assert symbols("kotlin", text)[1:] == [("Cache.Forwarding.close", "method")]
