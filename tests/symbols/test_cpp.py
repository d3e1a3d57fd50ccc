"""What the query file of C++ reads off a file."""

from __future__ import annotations

from plait.symbols.outline import outline
from tests.symbols.notation import docstring, lines, mentions, signature, symbols

STORE = """\
#include <vector>
using namespace std;

namespace shop::front {

/// A store.
template <typename T>
class Store final : public Box<T>, private base::Lock {
 public:
  explicit Store(int size) : size_(size) {}
  Store(const Store&) = delete;
  ~Store() override;
  virtual Item* open(const Key& key) const = 0;
  static constexpr int kLimit = 3;
  static Store<T>& get();
  bool operator==(const Store& other) const { return same(other); }
  operator bool() const;
  template <class U> U as() const;
  using value_type = T;
  enum class Color { kRed };
  struct Place { int x; };
  std::vector<Item> items_;
};

}  // namespace shop::front

template <typename T>
Item* Store<T>::open(const Key& key) const {
  Local local(key);
  const int inner = 1;
  auto lambda = [](int a) { return a; };
  return base::make<Item>(new Door(key), key.turn());
}
shop::Store::~Store() {}
Store::Store() : size_(1) {}
std::ostream& operator<<(std::ostream& out, const Store& store) { return out; }
extern "C" { int run(void); }
template <> struct hash<Store> {};
template <typename T> concept Addable = requires(T a) { a + a; };
using Items = std::vector<Item>;
typedef unsigned long Word;
constexpr int kSize = 3;
TEST(StoreTest, Opens) { open(); }
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("cpp", STORE) == [
        ("shop.front.Store", "class"),
        ("shop.front.Store.Store", "constructor"),
        ("shop.front.Store.Store", "constructor"),
        ("shop.front.Store.~Store", "method"),
        ("shop.front.Store.open", "method"),
        ("shop.front.Store.kLimit", "constant"),
        ("shop.front.Store.get", "method"),
        ("shop.front.Store.operator==", "method"),
        ("shop.front.Store.operatorbool", "method"),
        ("shop.front.Store.as", "method"),
        ("shop.front.Store.value_type", "type"),
        ("shop.front.Store.Color", "enum"),
        ("shop.front.Store.Place", "struct"),
        ("Store.open", "method"),
        ("shop.Store.~Store", "method"),
        ("Store.Store", "constructor"),
        ("operator<<", "function"),
        ("run", "function"),
        ("hash", "struct"),
        ("Addable", "trait"),
        ("Items", "type"),
        ("Word", "type"),
        ("kSize", "constant"),
        ("StoreTest.Opens", "test"),
    ]


def test_template_lines_and_comments_belong_to_the_definition() -> None:
    first = outline("cpp", STORE.encode()).definitions[0]

    assert (first.first_row + 1, first.last_row + 1) == (6, 23)
    assert docstring("cpp", STORE, "shop.front.Store") == "/// A store."
    assert lines("cpp", STORE)["Store.open"] == (27, 33)


def test_signature_ends_where_the_body_begins() -> None:
    assert (
        signature("cpp", STORE, "shop.front.Store.operator==")
        == "bool operator==(const Store& other) const"
    )


def test_references_in_order_of_appearance() -> None:
    found = mentions("cpp", STORE)

    assert found[:5] == ["imports vector", "imports std", "uses T", "extends Box", "uses T"]
    assert {"extends Lock", "calls same", "calls make", "calls Door", "calls turn"} <= set(found)
    assert {"uses Item", "uses Key", "uses vector"} <= set(found)


def test_class_after_an_unexpanded_macro_is_still_a_class() -> None:
    found = outline("cpp", b"class EXPORT Panel : public Frame { void draw(); };\n").definitions

    assert [(item.qualified_name, item.kind) for item in found] == [
        ("Panel", "class"),
        ("Panel.draw", "method"),
    ]


def test_operators_keep_their_signs() -> None:
    code = "struct P { P* operator->(); P operator/(int n); bool operator<(P o); };\n"

    assert [name for name, _ in symbols("cpp", code)] == [
        "P",
        "P.operator->",
        "P.operator/",
        "P.operator<",
    ]


def test_an_annotation_behind_a_declaration_is_no_symbol() -> None:
    text = b"""\
class Table {
 public:
  bool insert(int key) LOCKS_EXCLUDED(mutex_) {
    return keys_.add(key);
  }

 private:
  std::set<int> keys_ GUARDED_BY(mutex_);
};
"""
    found = outline("cpp", text).definitions  # to the grammar this is an error

    assert {item.name for item in found} == {"Table", "insert"}
    assert (3, 5) in [(item.first_row + 1, item.last_row + 1) for item in found]
