"""What the query file of Ruby reads off a file."""

from __future__ import annotations

from tests.symbols.notation import docstring, lines, mentions, signature, symbols

STORE = """\
require "set"
require_relative "shop/shelf"

# Selling things.
module Shop::Front
  LIMIT = [3].freeze

  # A store.
  class Store < Base::Box
    include Comparable
    extend Shop::Tools, Audit
    Point = Struct.new(:x, :y) do
      def flat? = y.zero?
    end

    def initialize(shelf) = @shelf = shelf
    def self.build(key) = Store.new(key)
    def ==(other) other.items == items end
    def total=(value); end

    class << self
      def registry; end
    end

    private def secret; check(1); end
    define_method(:later) { |x| x }
  end

  def helper; end
end

def main; Front::Store.new; end
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("ruby", STORE) == [
        ("Shop.Front", "module"),
        ("Shop.Front.LIMIT", "constant"),
        ("Shop.Front.Store", "class"),
        ("Shop.Front.Store.Point", "class"),
        ("Shop.Front.Store.Point.flat?", "method"),
        ("Shop.Front.Store.initialize", "constructor"),
        ("Shop.Front.Store.build", "method"),
        ("Shop.Front.Store.==", "method"),
        ("Shop.Front.Store.total=", "method"),
        ("Shop.Front.Store.registry", "method"),
        ("Shop.Front.Store.secret", "method"),
        ("Shop.Front.Store.later", "method"),
        ("Shop.Front.helper", "method"),
        ("main", "function"),
    ]


def test_comments_above_document_the_definition() -> None:
    assert lines("ruby", STORE)["Shop.Front"] == (4, 30)
    assert lines("ruby", STORE)["Shop.Front.Store"] == (8, 27)
    assert docstring("ruby", STORE, "Shop.Front.Store") == "# A store."
    assert signature("ruby", STORE, "Shop.Front.Store") == "class Store < Base::Box"


def test_references_in_order_of_appearance() -> None:
    assert mentions("ruby", STORE) == [
        "calls require",
        "imports set",
        "calls require_relative",
        "imports shop/shelf",
        "uses Front",
        "calls freeze",
        "uses Base",
        "extends Box",
        "calls include",
        "implements Comparable",
        "calls extend",
        "uses Shop",
        "implements Tools",
        "implements Audit",
        "calls Struct",
        "calls new",
        "calls zero?",
        "calls Store",
        "calls new",
        "calls items",
        "calls private",
        "calls check",
        "calls define_method",
        "uses Front",
        "calls Store",
        "calls new",
    ]


def test_blocks_of_test_frameworks_are_tests() -> None:
    text = """\
        class ShopTest
          test "opens at nine" do
            company = Class.new { def x; end }
          end
        end
        describe "closing" do
          it("locks") { lock }
          it { is_expected.to be }
        end
        """

    assert symbols("ruby", text) == [
        ("ShopTest", "class"),
        ("ShopTest.opens at nine", "test"),
        ("ShopTest.opens at nine.x", "function"),
        ("closing", "test"),
        ("closing.locks", "test"),
    ]
