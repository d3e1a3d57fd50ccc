"""What Go says about other code: qualifiers, imports and bindings."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import bindings, imports, places


def test_a_call_keeps_what_stands_before_its_name() -> None:
    code = """\
        package p
        func (s *Server) run() {
            helper()
            s.client.Pool().Get(1)
            http.Handle("/", http.HandlerFunc(h))
            (*s).stop()
            s.byName["x"].send()
            func() { s.x() }()
            New[int](1).go1()
        }
        """
    assert places("go", code) == [
        "3 helper",
        "4 s.client > Pool",
        "4 s.client.Pool() > Get",
        "5 http > Handle",
        "5 http > HandlerFunc",
        "6 () > stop",
        "7 s.byName[] > send",
        "8 s > x",
        "9 New",
        "9 New[]() > go1",
    ]


def test_types_are_qualified_by_their_package() -> None:
    code = """\
        package p
        type A struct {
            http.Handler
            *Base
            items map[string]*shop.Item
            n C.int
        }
        type I interface { io.Reader }
        """
    assert places("go", code, Relation.EXTENDS, Relation.USES) == [
        "3 http > Handler",
        "4 Base",
        "5 shop > Item",
        "8 io > Reader",
    ]


def test_imports_with_names_dots_and_blanks() -> None:
    code = """\
        package p
        import "fmt"
        import (
            web "net/http"
            . "strings"
            _ "embed"
        )
        """
    assert imports("go", code) == [
        ("fmt", "", ""),
        ("net/http", "", "web"),
        ("strings", "*", ""),
        ("embed", "", "_"),
    ]


def test_receivers_parameters_results_and_fields() -> None:
    code = """\
        package p
        type Shop struct {
            client *Client
            a, b   []shop.Item
        }
        type Getter interface { Get(key string) (*Client, error) }
        func (s *Shop) Run(ctx context.Context, a, b int, rest ...Opt) (c *Client, err error) {
            return
        }
        func one() error { return nil }
        """
    assert bindings("go", code) == [
        "field client: *Client",
        "field a: []shop.Item",
        "field b: []shop.Item",
        "returns : (*Client, error)",
        "parameter key: string",
        "parameter s: *Shop",
        "returns : (c *Client, err error)",
        "parameter ctx: context.Context",
        "parameter a: int",
        "parameter b: int",
        "parameter rest: Opt",
        "parameter c: *Client",
        "parameter err: error",
        "returns : error",
    ]


def test_what_is_assigned_and_ranged_over() -> None:
    code = """\
        package p
        var Default = NewShop()
        var log Logger
        func f() {
            c, err := NewClient(1)
            x := &Shop{client: c}
            y := shop.Item{}
            z, ok := v.(*Client)
            g := New[int](1)
            s.client = pool.Get()
            s.item = &shop.Item{}
            for _, it := range s.items {}
            for it := range s.All() {}
            n := 3
            m["k"] = NewClient()
        }
        """
    assert bindings("go", code) == [
        "value Default: NewShop()",
        "variable log: Logger",
        "value c,err: NewClient()",
        "variable x: Shop",
        "variable y: shop.Item",
        "variable z,ok: *Client",
        "value g: New()",
        "value s.client: pool.Get()",
        "variable s.item: shop.Item",
        "element _,it: s.items",
        "element it: s.All()",
    ]


def test_broken_code_keeps_what_its_sound_parts_say() -> None:
    code = 'package p\nimport "fmt"\nfunc f(c *Client) { c.Send() }\nfunc g( {\n'

    assert "3 c > Send" in places("go", code)
    assert imports("go", code) == [("fmt", "", "")]
    assert "parameter c: *Client" in bindings("go", code)
