"""What the query file of Java reads off a file."""

from __future__ import annotations

from plait.symbols.outline import outline
from tests.symbols.notation import docstring, mentions, signature, symbols

STORE = """\
package shop;

import java.util.List;
import static shop.Tools.*;

/** A store. */
@Service("main")
public class Store<T extends Item> extends base.Box<T> implements Closeable, Iterable<T> {
  public static final int LIMIT = 3;
  private final List<T> items;

  @Inject
  public Store(Shelf shelf) throws Broken { this.items = new ArrayList<>(shelf); }

  @Override public <R> R open(Door door, int... codes) { return door.unlock(Key::new); }
  abstract void close();

  enum Color implements Painted { RED, GREEN; Color next() { return RED; } }
  record Pair(int left, Side right) { Pair { check(left); } }
  @interface Marker { String value() default ""; }
  interface Shelf extends Board, Plane { int WIDTH = 2; default void put() {} }

  Runnable later() { return new Runnable() { public void run() { go(); } }; }
}
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("java", STORE) == [
        ("Store", "class"),
        ("Store.LIMIT", "constant"),
        ("Store.Store", "constructor"),
        ("Store.open", "method"),
        ("Store.close", "method"),
        ("Store.Color", "enum"),
        ("Store.Color.next", "method"),
        ("Store.Pair", "class"),
        ("Store.Pair.Pair", "constructor"),
        ("Store.Marker", "interface"),
        ("Store.Marker.value", "method"),
        ("Store.Shelf", "interface"),
        ("Store.Shelf.WIDTH", "constant"),
        ("Store.Shelf.put", "method"),
        ("Store.later", "method"),
        ("Store.later.Runnable.run", "method"),
    ]


def test_annotations_and_comments_belong_to_the_definition() -> None:
    first = next(d for d in outline("java", STORE.encode()).definitions if d.kind == "constructor")

    assert (first.first_row + 1, first.last_row + 1) == (12, 13)
    assert docstring("java", STORE, "Store") == "/** A store. */"
    assert signature("java", STORE, "Store.close") == "abstract void close();"


def test_references_in_order_of_appearance() -> None:
    assert mentions("java", STORE)[:20] == [
        "imports java.util.List",
        "imports shop.Tools",
        "uses Service",
        "uses T",
        "uses Item",
        "uses base",
        "extends Box",
        "uses T",
        "implements Closeable",
        "implements Iterable",
        "uses T",
        "uses List",
        "uses T",
        "uses Inject",
        "uses Shelf",
        "uses Broken",
        "calls ArrayList",
        "uses Override",
        "uses R",
        "uses R",
    ]
    assert {
        "calls unlock",
        "calls Key",
        "implements Painted",
        "extends Plane",
        "calls Runnable",
    } <= set(mentions("java", STORE))
