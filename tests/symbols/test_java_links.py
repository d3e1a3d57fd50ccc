"""What Java says about other code: qualifiers, imports and bindings."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import bindings, imports, places


def test_a_call_keeps_what_stands_before_its_name() -> None:
    code = """\
        class A {
            void f() {
                send();
                this.client.send();
                super.f();
                Outer.Inner.call();
                new Outer.Inner();
                new Foo<>().bar();
                xs.stream().map(Client::send).collect(toList());
                ((Client) o).cast();
                "x".length();
                arr[0].go();
                Lists.<T>of().z();
                make(Foo::new);
            }
        }
        """
    assert places("java", code) == [
        "3 send",
        "4 this.client > send",
        "5 super > f",
        "6 Outer.Inner > call",
        "7 Outer > Inner",
        "8 Foo",
        "8 Foo() > bar",
        "9 xs > stream",
        "9 xs.stream() > map",
        "9 Client > send",
        "9 xs.stream().map() > collect",
        "9 toList",
        "10 () > cast",
        '11 "" > length',
        "12 arr[] > go",
        "13 Lists > of",
        "13 Lists.of() > z",
        "14 make",
        "14 Foo",
    ]


def test_bases_and_annotations_have_qualifiers_too() -> None:
    code = "@q.Mark class A extends a.b.Base<T> implements Map.Entry<K, V> {}\n"

    found = places("java", code, Relation.EXTENDS, Relation.IMPLEMENTS)
    assert found == ["1 a.b > Base", "1 Map > Entry"]
    assert places("java", code, Relation.USES)[0] == "1 q > Mark"


def test_imports_plain_static_and_of_everything() -> None:
    code = """\
        package p;
        import a.b.C;
        import a.b.*;
        import static a.b.C.make;
        import static a.b.D.*;
        import Bare;
        """
    assert imports("java", code) == [
        ("a.b", "C", ""),
        ("a.b", "*", ""),
        ("a.b.C", "make", ""),
        ("a.b.D", "*", ""),
        ("Bare", "", ""),
    ]


def test_types_of_fields_parameters_and_results() -> None:
    code = """\
        class A<T> {
            private final Client client = new Client(), other;
            int n;
            Map.Entry<K, V>[] entries;
            A(Client client, String... names) {}
            public List<Client> all(final @N Map<String,
                Client> by, int n) { return null; }
            void none() {}
        }
        record R(Client c, int n) {}
        interface I { String K = make(); Client get(); }
        """
    assert bindings("java", code) == [
        "field client: Client",
        "field other: Client",
        "field entries: Map.Entry<K, V>[]",
        "parameter client: Client",
        "parameter names: String",
        "returns : List<Client>",
        "parameter by: Map<String, Client>",
        "field c: Client",
        "field K: String",
        "returns : Client",
    ]


def test_types_and_values_of_locals() -> None:
    code = """\
        class A {
            void f() {
                Client a = make();
                var b = new Client<>(1);
                var c = pool.get(1).next();
                var d = make();
                var e = (Client) o;
                for (Client g : all()) {}
                for (var h : this.items) {}
                try (Res r = open()) {} catch (IOException | Oops ex) {}
                if (o instanceof Client k) {}
                int n = 3;
            }
        }
        """
    assert bindings("java", code) == [
        "variable a: Client",
        "variable b: Client<>",
        "value c: pool.get().next()",
        "value d: make()",
        "variable e: Client",
        "variable g: Client",
        "element h: this.items",
        "variable r: Res",
        "variable ex: IOException | Oops",
        "variable k: Client",
    ]


def test_broken_code_keeps_what_its_sound_parts_say() -> None:
    code = "import a.B;\nclass A { void f(Client c) { c.send(); } void g( { }\n"

    assert "2 c > send" in places("java", code)
    assert imports("java", code) == [("a", "B", "")]
    assert "parameter c: Client" in bindings("java", code)
