"""What the query file of Rust reads off a file."""

from __future__ import annotations

from tests.symbols.notation import docstring, lines, mentions, signature, symbols

STORE = """\
use std::{fmt::{self, Debug}, io as stdio};
use shop::tools::Lock;
mod shelf;

/// A store.
#[derive(Clone, Debug)]
pub struct Store<T: Item> {
    items: Vec<T>,
}
struct Pair(Left, Right);
enum Color { Red(Shade), Green }
union Bits { word: u32 }

pub trait Shelf: Board + fmt::Display {
    const WIDTH: usize;
    type Place;
    fn put(&self, item: Thing) -> Self::Place;
}

impl<T> Shelf for base::Store<T> {
    const WIDTH: usize = 2;
    type Place = Spot;
    /// Put it.
    #[inline]
    fn put(&self, item: Thing) -> Spot {
        const LOCAL: u8 = 1;
        self.lock.open();
        Spot::at::<u8>(1);
        assert!(check(item));
        main()
    }
}

impl Store<u8> {
    pub fn new() -> Self { Store { items: vec![] } }
}

pub const LIMIT: usize = 3;
static NAME: &str = "x";
type Outcome<T> = Result<T, Failure>;
macro_rules! twice { ($e:expr) => { $e; $e } }
mod inner { pub async fn run() {} }
extern "C" { fn raw(n: i32); }
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("rust", STORE) == [
        ("Store", "struct"),
        ("Pair", "struct"),
        ("Color", "enum"),
        ("Bits", "union"),
        ("Shelf", "trait"),
        ("Shelf.WIDTH", "constant"),
        ("Shelf.Place", "type"),
        ("Shelf.put", "method"),
        ("Store.WIDTH", "constant"),
        ("Store.Place", "type"),
        ("Store.put", "method"),
        ("Store.new", "method"),
        ("LIMIT", "constant"),
        ("NAME", "constant"),
        ("Outcome", "type"),
        ("twice", "macro"),
        ("inner", "module"),
        ("inner.run", "function"),
        ("raw", "function"),
    ]


def test_attributes_and_comments_belong_to_the_definition() -> None:
    assert lines("rust", STORE)["Store"] == (5, 9)
    assert lines("rust", STORE)["Store.put"] == (23, 31)
    assert docstring("rust", STORE, "Store") == "/// A store."


def test_signature_ends_where_the_body_begins() -> None:
    assert signature("rust", STORE, "Store") == "pub struct Store<T: Item>"
    assert signature("rust", STORE, "Pair") == "struct Pair(Left, Right);"


def test_references_in_order_of_appearance() -> None:
    found = mentions("rust", STORE)

    assert found[:9] == [
        "imports std",
        "imports fmt",
        "uses Debug",
        "imports io",
        "imports shop::tools::Lock",
        "uses Lock",
        "imports shelf",
        "uses derive",
        "implements Clone",
    ]
    assert {"extends Board", "extends Display", "implements Shelf", "implements Debug"} <= set(
        found
    )
    assert {"calls open", "calls at", "calls assert", "calls check", "calls vec"} <= set(found)
    assert {"uses Vec", "uses Thing", "uses Failure", "uses Spot"} <= set(found)
    assert not {"uses usize", "uses u8"} & set(found)


def test_items_inside_a_macro_are_symbols_with_their_braces() -> None:
    text = """\
        cfg_net! {
            /// Ask for addresses.
            pub async fn lookup(host: &str) -> Addresses {
                resolve(host)
            }

            pub(crate) fn close<T>(socket: T) {}
            pub struct Addresses { list: Vec<u8> }
            enum State { Open }
            pub trait Closes: Sized {}
        }
        fn plain(callback: fn(u8)) {}
        """

    assert symbols("rust", text) == [
        ("lookup", "function"),
        ("close", "function"),
        ("Addresses", "struct"),
        ("State", "enum"),
        ("Closes", "trait"),
        ("plain", "function"),
    ]
    assert lines("rust", text)["lookup"] == (2, 5)
    assert lines("rust", text)["Addresses"] == (8, 8)


def test_attributes_inside_a_macro_belong_to_the_item() -> None:
    text = """\
        cfg_net! {
            /// Addresses.
            #[derive(Debug)]
            // why
            #[must_use]
            pub struct Addresses;

            fn next() {}
        }
        """

    assert lines("rust", text) == {"Addresses": (2, 6), "next": (8, 8)}


def test_a_comment_behind_an_attribute_does_not_sever_it() -> None:
    text = """\
        fn before() {} // trails

        /// Receives.
        #[tokio::test] // slow
        // twice
        #[cfg_attr(
            miri,
            ignore
        )] // no sockets
        fn receives() {}
        """

    assert lines("rust", text) == {"before": (1, 1), "receives": (3, 10)}
