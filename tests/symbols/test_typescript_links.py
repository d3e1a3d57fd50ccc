"""What TypeScript and JavaScript say about other code: qualifiers, imports and bindings."""

from __future__ import annotations

import pytest

from plait.types import Relation
from tests.symbols.notation import bindings, imports, places

BOTH = pytest.mark.parametrize("language", ["typescript", "tsx", "javascript"])


@BOTH
def test_a_call_keeps_what_stands_before_its_name(language: str) -> None:
    code = """\
        send();
        this.client?.send().then(r => r.json());
        a?.b?.[0]?.c();
        new ns.Thing(1);
        new Client().go();
        `text`.trim();
        (await x.get()).json();
        await api
            .users(1)
            .all();
        """
    assert places(language, code) == [
        "1 send",
        "2 this.client > send",
        "2 this.client.send() > then",
        "2 r > json",
        "3 a.b.[] > c",
        "4 ns > Thing",
        "5 Client",
        "5 Client() > go",
        '6 "" > trim',
        "7 x > get",
        "7 () > json",
        "9 api > users",
        "10 api.users() > all",
    ]


def test_assertions_and_type_arguments_are_no_part_of_a_qualifier() -> None:
    code = "x!.y();\nhttp.get<User>(1).pipe<A>(f);\n@core.Component({})\nclass A {}\n"

    assert places("typescript", code) == [
        "1 x > y",
        "2 http > get",
        "2 http.get() > pipe",
        "3 core > Component",
    ]


def test_types_and_bases_are_qualified_by_their_namespace() -> None:
    code = "class A extends base.Box<Item> implements ns.I { x: ns.Foo.Bar; }\n"

    assert places("typescript", code, Relation.EXTENDS, Relation.IMPLEMENTS, Relation.USES) == [
        "1 base > Box",
        "1 Item",
        "1 ns > I",
        "1 ns.Foo > Bar",
    ]


@BOTH
def test_imports_in_every_form(language: str) -> None:
    code = """\
        import './side';
        import def, { a, b as c, default as d } from './mod';
        import * as ns from '../ns';
        export * from './x';
        export * as y from './y';
        export { p, q as r } from './z';
        const { e, f: g } = require('cjs');
        const whole = require('whole');
        const lazy = await import('lazy');
        """
    assert imports(language, code) == [
        ("./side", "", ""),
        ("./mod", "default", "def"),
        ("./mod", "a", ""),
        ("./mod", "b", "c"),
        ("./mod", "default", "d"),
        ("../ns", "", "ns"),
        ("./x", "*", ""),
        ("./y", "", "y"),
        ("./z", "p", ""),
        ("./z", "q", "r"),
        ("cjs", "e", ""),
        ("cjs", "f", "g"),
        ("whole", "", "whole"),
        ("lazy", "", "lazy"),
    ]
    assert bindings(language, code) == []


def test_imports_of_types_and_by_require() -> None:
    code = """\
        import type { T } from 'types';
        import { type U as V } from 'u';
        import type D from 'd';
        import fs = require('fs');
        export type { W } from './w';
        """
    assert imports("typescript", code) == [
        ("types", "T", ""),
        ("u", "U", "V"),
        ("d", "default", "D"),
        ("fs", "", "fs"),
        ("./w", "W", ""),
    ]


def test_annotations_of_parameters_returns_and_fields() -> None:
    code = """\
        class Shop {
            client: Client;
            pool = new Pool<Item>();
            made = make();
            constructor(private readonly http: HttpClient, x?: Opt, { a, b }: Props) { super(); }
            async get(id: string, ...rest: A[]): Promise<Client | null> { return null; }
        }
        interface I { items: Item[]; send(m: Msg): void }
        const fn = (a: A): B => a;
        function over(a: string): X;
        function over(a: any): X { return a }
        """
    assert bindings("typescript", code) == [
        "field client: Client",
        "variable pool: Pool",
        "value made: make()",
        "field http: HttpClient",
        "parameter x: Opt",
        "parameter {a,b}: Props",
        "returns : Promise<Client | null>",
        "parameter id: string",
        "parameter ...rest: A[]",
        "field items: Item[]",
        "returns : void",
        "parameter m: Msg",
        "returns : B",
        "parameter a: A",
        "returns : X",
        "parameter a: string",
        "returns : X",
        "parameter a: any",
    ]


@BOTH
def test_what_is_assigned_to_names_and_attributes(language: str) -> None:
    code = """\
        const a = new Client(1), b = make(2);
        const [s, setS] = useState(0);
        const { data } = await api.load();
        this.client = new ns.Client();
        this.x = x;
        this.y = await this.x.open();
        let n = 3;
        for (const i of this.items) {}
        for (const [k, v] of map.entries()) {}
        """
    assert bindings(language, code) == [
        "variable a: Client",
        "value b: make()",
        "value [s,setS]: useState()",
        "value {data}: api.load()",
        "variable this.client: ns.Client",
        "value this.x: x",
        "value this.y: this.x.open()",
        "element i: this.items",
        "element [k,v]: map.entries()",
    ]


def test_declared_and_asserted_types_of_variables() -> None:
    code = "let z: ns.Foo | null = make();\nconst w = x as Client;\n"

    assert bindings("typescript", code) == ["variable z: ns.Foo | null", "variable w: Client"]


def test_fields_of_javascript_classes() -> None:
    code = "class A { client = new Client(); #q = make(); }\n"

    assert bindings("javascript", code) == ["variable client: Client", "value #q: make()"]


def test_elements_of_jsx_are_calls_with_qualifiers() -> None:
    assert places("tsx", "const e = <Ui.Box><Row/></Ui.Box>;\n") == ["1 Ui > Box", "1 Row"]


def test_broken_code_keeps_what_its_sound_parts_say() -> None:
    code = "import { a } from './a';\nfunction f(c: Client) { c.send(); }\nfunction g( {\n"

    assert "2 c > send" in places("typescript", code)
    assert imports("typescript", code) == [("./a", "a", "")]
    assert "parameter c: Client" in bindings("typescript", code)
