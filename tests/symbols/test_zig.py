"""What the query file of Zig reads off a file."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import docstring, lines, references, signature, symbols

SHAPES = """\
    //! Shapes in the plane.
    const std = @import("std");
    const Allocator = std.mem.Allocator;
    pub const Point = @import("point.zig").Point;

    pub const sides: usize = 0;
    var counter: u32 = 0;

    /// A round thing.
    pub const Circle = struct {
        radius: f64 = 0,
        points: []const Point,

        pub const unit = Circle{ .radius = 1 };

        pub fn draw(self: *Circle, canvas: Canvas, pen: ?Pen) !Line {
            canvas.line(twice(1));
            return std.math.round(self.radius);
        }
    };

    const Color = enum(u8) {
        red,
        fn mix(self: Color) Color {
            return self;
        }
    };
    const Value = union(enum) { whole: u32 };
    const Failure = error{ Empty, Full };
    const Painter = *const fn (Canvas) void;

    pub fn List(comptime T: type) type {
        return struct {
            items: []T,
            pub fn append(self: *@This(), item: T) void {}
        };
    }

    extern "c" fn puts(text: [*]const u8) c_int;

    test "draws a/b: twice" {
        try check();
    }
    test twice {}
    """


def test_every_kind_of_declaration_is_a_symbol() -> None:
    assert symbols("zig", SHAPES) == [
        ("Point", "constant"),
        ("sides", "constant"),
        ("Circle", "struct"),
        ("Circle.unit", "constant"),
        ("Circle.draw", "method"),
        ("Color", "enum"),
        ("Color.mix", "method"),
        ("Value", "union"),
        ("Failure", "type"),
        ("Painter", "type"),
        ("List", "function"),
        ("List.append", "function"),
        ("puts", "function"),
        ("draws a/b: twice", "test"),
        ("twice", "test"),
    ]


def test_the_comment_above_belongs_to_a_struct() -> None:
    assert lines("zig", SHAPES)["Circle"] == (9, 20)
    assert docstring("zig", SHAPES, "Circle") == "/// A round thing."


def test_a_signature_ends_where_the_body_begins() -> None:
    assert signature("zig", SHAPES, "Circle.draw") == (
        "pub fn draw(self: *Circle, canvas: Canvas, pen: ?Pen) !Line"
    )


def test_calls_are_functions_and_methods() -> None:
    assert references("zig", SHAPES, Relation.CALLS) == ["line", "twice", "round", "check"]


def test_uses_are_types_but_no_builtin_or_type_parameter() -> None:
    used = set(references("zig", SHAPES, Relation.USES))

    assert used == {"Point", "Circle", "Canvas", "Pen", "Line", "Color"}


def test_imports_are_files_and_packages_as_written() -> None:
    assert references("zig", SHAPES, Relation.IMPORTS) == ["std", "point.zig"]


def test_constants_of_every_container_are_symbols() -> None:
    text = """\
        const Handle = opaque {
            extern fn close() void;
        };
        const S = struct {
            pub const Inner = other.Inner;
            const hidden = other.hidden;
        };
        const E = enum {
            a,
            const first = 1;
            pub const Other = S;
        };
        const U = union {
            a: u8,
            const size = 2;
            pub const Other = S;
        };
        fn local() void {
            const limit = 3;
            const kind: enum { x, y } = .x;
        }
        """

    assert symbols("zig", text) == [
        ("Handle", "struct"),
        ("Handle.close", "method"),
        ("S", "struct"),
        ("S.Inner", "constant"),
        ("E", "enum"),
        ("E.first", "constant"),
        ("E.Other", "constant"),
        ("U", "union"),
        ("U.size", "constant"),
        ("U.Other", "constant"),
        ("local", "function"),
    ]
