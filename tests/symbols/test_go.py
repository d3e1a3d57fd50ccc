"""What the query file of Go reads off a file."""

from __future__ import annotations

from tests.symbols.notation import docstring, lines, mentions, signature, symbols

STORE = """\
// Package shop sells.
package shop

import (
	"fmt"
	t "shop/tools"
)

// Limit is how many.
const Limit = 3

const (
	Red Color = iota
	Green
)

var ErrEmpty = fmt.Errorf("empty")
var _ Closer = (*Store[int])(nil)
var later = func() { run() }

// Store keeps items.
type Store[T any] struct {
	Base
	*t.Lock
	items map[string]*Item
}

type (
	// Shelf holds.
	Shelf interface {
		Plane
		Put(item Item) (Place, error)
	}
	Color int
	Alias = Other
	Visit func(Item) Result
)

// Open opens.
func (s *Store[T]) Open(key t.Key) error {
	local := 1
	const inner = 2
	defer s.lock.Release()
	return check(&Door{key: key}, local)
}

func (Shelf) Close() {}

func New(items ...Item) *Store[Item] { return nil }
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("go", STORE) == [
        ("Limit", "constant"),
        ("Red", "constant"),
        ("Green", "constant"),
        ("ErrEmpty", "constant"),
        ("later", "function"),
        ("Store", "struct"),
        ("Shelf", "interface"),
        ("Shelf.Put", "method"),
        ("Color", "type"),
        ("Alias", "type"),
        ("Visit", "type"),
        ("Store.Open", "method"),
        ("Shelf.Close", "method"),
        ("New", "function"),
    ]


def test_comments_above_document_the_definition() -> None:
    assert lines("go", STORE)["Store"] == (21, 26)
    assert lines("go", STORE)["Store.Open"] == (39, 45)
    assert docstring("go", STORE, "Shelf") == "// Shelf holds."


def test_signature_ends_where_the_body_begins() -> None:
    assert signature("go", STORE, "Store.Open") == "func (s *Store[T]) Open(key t.Key) error"
    assert signature("go", STORE, "Shelf") == "Shelf interface"


def test_embedding_extends_and_builtin_types_are_left_out() -> None:
    found = mentions("go", STORE)

    assert found[:2] == ["imports fmt", "imports shop/tools"]
    assert {"extends Base", "extends Lock", "extends Plane"} <= set(found)
    assert {"uses Item", "uses Key", "uses Door", "uses Place", "uses Other"} <= set(found)
    assert [target for target in found if target.startswith("calls")] == [
        "calls Errorf",
        "calls run",
        "calls Release",
        "calls check",
    ]
    assert not {"uses string", "uses error", "uses int", "uses any"} & set(found)
