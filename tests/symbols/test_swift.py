"""What the query file of Swift reads off a file."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import docstring, lines, references, signature, symbols

SHAPES = """\
    import Foundation
    import class UIKit.UIView

    let sides = 0
    typealias Painter = (Canvas) -> Void

    /// A round thing.
    @MainActor
    public final class Circle<T: Number>: Shape<T>, Drawable, Ui.Thing {
        static let unit = Circle()
        let radius: Double = 1
        @Published var points: [String: Point?] = [:]
        var area: Double { return pi() * radius }

        init?(radius: Double) throws { super.init() }
        deinit { }
        subscript(index: Int) -> Int { return index }

        func draw(_ canvas: Canvas, with pen: Pen?) -> (Line, Int) {
            func twice(_ x: Int) -> Int { x * 2 }
            canvas.line(twice(1))
            pen?.lift { $0 }
            return Line(x: 1)
        }
        static func + (a: Circle, b: Circle) -> Circle { a }
    }

    protocol Drawable: AnyObject, Thing {
        associatedtype Surface
        var pen: Pen { get }
        func draw(_ canvas: Canvas)
    }

    struct Point: Codable { }

    enum Color: String, Codable {
        case red, green
        func mix() { }
    }

    extension Circle: Hashable {
        var diameter: Double { radius * 2 }
        func grow() { }
    }

    actor Registry { }

    #if os(iOS)
    func vibrate() { }
    #endif
    """


def test_every_kind_of_declaration_is_a_symbol() -> None:
    assert symbols("swift", SHAPES) == [
        ("sides", "constant"),
        ("Painter", "type"),
        ("Circle", "class"),
        ("Circle.unit", "constant"),
        ("Circle.area", "property"),
        ("Circle.init", "constructor"),
        ("Circle.deinit", "method"),
        ("Circle.subscript", "property"),
        ("Circle.draw", "method"),
        ("Circle.draw.twice", "function"),
        ("Circle.+", "method"),
        ("Drawable", "interface"),
        ("Drawable.Surface", "type"),
        ("Drawable.draw", "method"),
        ("Point", "struct"),
        ("Color", "enum"),
        ("Color.mix", "method"),
        ("Circle.diameter", "property"),
        ("Circle.grow", "method"),
        ("Registry", "class"),
        ("vibrate", "function"),
    ]


def test_attributes_and_the_comment_above_belong_to_a_class() -> None:
    assert lines("swift", SHAPES)["Circle"] == (7, 26)
    assert docstring("swift", SHAPES, "Circle") == "/// A round thing."


def test_a_signature_ends_where_the_body_begins() -> None:
    assert signature("swift", SHAPES, "Circle.draw") == (
        "func draw(_ canvas: Canvas, with pen: Pen?) -> (Line, Int)"
    )
    assert signature("swift", SHAPES, "Circle.area") == "var area: Double"


def test_only_the_first_entry_of_a_class_is_its_superclass() -> None:
    assert references("swift", SHAPES, Relation.EXTENDS) == ["Shape", "Thing"]
    assert list(dict.fromkeys(references("swift", SHAPES, Relation.IMPLEMENTS))) == [
        "Drawable",
        "Thing",
        "Codable",
        "Hashable",
    ]


def test_calls_are_functions_methods_and_initializers() -> None:
    assert references("swift", SHAPES, Relation.CALLS) == [
        "Circle",
        "pi",
        "init",
        "line",
        "twice",
        "lift",
        "Line",
    ]


def test_uses_are_types_and_attributes_but_no_builtin_or_type_parameter() -> None:
    used = set(references("swift", SHAPES, Relation.USES))

    assert used == {
        "Canvas", "Circle", "Line", "MainActor", "Number", "Pen", "Point", "Published", "Ui",
    }  # fmt: skip


def test_imports_are_modules_as_written() -> None:
    assert references("swift", SHAPES, Relation.IMPORTS) == ["Foundation", "UIKit.UIView"]


def test_macros_are_defined_and_called() -> None:
    text = """\
        /* Makes a string. */
        @freestanding(expression)
        macro text(x: Int) -> String = #externalMacro(module: "A", type: "B")

        func use() {
            #text(1)
            show(.circle(2))
            Box<Int>(size: 1)
        }
        """

    assert symbols("swift", text) == [("text", "macro"), ("use", "function")]
    assert docstring("swift", text, "text") == "/* Makes a string. */"
    called = references("swift", text, Relation.CALLS)
    assert called[-4:] == ["text", "show", "circle", "Box"]


def test_a_class_without_type_parameters_has_a_superclass_too() -> None:
    assert references("swift", "class A: B, C { }\n", Relation.EXTENDS) == ["B"]
