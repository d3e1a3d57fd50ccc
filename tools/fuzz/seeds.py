"""A small file of each language, written so that every odd part of its grammar is met.

They stand in where no real code has been fetched.
"""
# ruff: noqa: E501  # dense on purpose: each line is there for its syntax

SEEDS = {
    "bash": """#!/usr/bin/env bash
set -euo pipefail
readonly NAME=${1:-"world"}
greet() {
  local -a list=(a "b c" $(date +%s) `whoami`)
  cat <<-EOF | tr a-z A-Z
\thello ${NAME^^} ${list[@]:1:2} $((1 + 2 ** 3))
\tEOF
  for ((i = 0; i < ${#list[@]}; i++)); do echo "${list[$i]//a/b}"; done
  case "$NAME" in w*|W*) return 0 ;; *) [[ $NAME =~ ^[a-z]+$ ]] || exit 1 ;; esac
}
diff <(sort a) <(sort b) >&2 2>/dev/null && greet "$@" || true
""",
    "c": """#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef DEBUG
# define LOG(...) fprintf(stderr, __VA_ARGS__)
#endif
typedef struct node { int value; struct node *next; union { char c; long l; } u; } node_t;
enum color { RED, GREEN = 4 };
static int (*table[4])(const char *, size_t);
/* counts */
static inline int count(const node_t *head, int (*keep)(int)) {
  int n = 0;
  for (; head != NULL; head = head->next) { if (keep(head->value)) goto next; n++; next:; }
  switch (n) { case 0: return -1; default: break; }
  return MAX(n, sizeof(node_t));
}
""",
    "cpp": """#include <vector>
namespace a::b {
template <typename T, auto N = 3> requires std::integral<T>
class Box final : public Base<T>, private virtual Other {
 public:
  explicit Box(T&& value) noexcept : value_{std::move(value)} {}
  ~Box() = default;
  auto operator<=>(const Box&) const = default;
  template <class... Args> void emit(Args&&... args) { (f(std::forward<Args>(args)), ...); }
 private:
  T value_;
  static constexpr const char* raw = R"x(a "quoted" )x";
};
}  // namespace a::b
int a::b::Box<int>::count(std::vector<int> v) {
  auto add = [=, &v](int x) mutable -> int { return x + v[0]; };
  try { for (auto& [k, w] : m) co_await w; } catch (...) { throw; }
  return add(1'000);
}
""",
    "csharp": """using System;
namespace Shop.Orders;
[Serializable]
public sealed record Order(int Id, string? Name) : IOrder where T : class, new() {
    /// <summary>Total.</summary>
    public decimal Total { get; init; } = 1.0m;
    public event EventHandler<Args>? Changed;
    public static Order operator +(Order a, Order b) => a with { Id = b.Id };
    public async Task<int> SaveAsync(CancellationToken token = default) {
        await foreach (var x in Read()) { Console.WriteLine($"{x,5:N2} {{}} {@"c:\\d"}"); }
        var q = from o in orders where o.Id is > 3 and not 5 select new { o.Id };
        return q switch { null => 0, { Length: var n } when n > 2 => n, _ => throw new Bad() };
    }
#if DEBUG
    unsafe int* p;
#endif
    string s = \"\"\"raw "text" \"\"\";
}
""",
    "elixir": """defmodule Shop.Cart do
  @moduledoc \"\"\"
  A cart.
  \"\"\"
  use GenServer
  alias Shop.{Item, Price}
  @type t :: %__MODULE__{items: [Item.t()], total: non_neg_integer()}
  defstruct items: [], total: 0
  @spec add(t(), Item.t()) :: {:ok, t()} | {:error, atom()}
  def add(%__MODULE__{items: items} = cart, %Item{} = item) when length(items) < 10 do
    {:ok, %{cart | items: [item | items]}}
  end
  def add(_, _), do: {:error, :full}
  defmacro twice(do: block), do: quote(do: (unquote(block); unquote(block)))
  def total(cart), do: cart.items |> Enum.map(& &1.price) |> Enum.sum()
  def re, do: ~r/a#{1 + 1}b/iu
end
""",
    "go": """// Package shop sells.
package shop

import (
\t"context"
\tfmt "fmt"
)

type Set[T comparable] map[T]struct{}

type Store interface {
\tGet(ctx context.Context, id int) (*Item, error)
}

func (s *Set[T]) Add(values ...T) (n int) {
\tdefer func() { recover() }()
\tfor i, v := range values {
\t\tselect { case ch <- v: n++; default: go func() { fmt.Printf(`%d`, i) }() }
\t}
loop:
\tswitch x := any(s).(type) { case nil: break loop; case *Set[T]: _ = x }
\treturn
}

const (
\tA = iota
\tB
)
""",
    "haskell": """{-# LANGUAGE GADTs #-}
module Data.Tree (Tree(..), insert) where
import qualified Data.Map as M
-- | A tree.
data Tree a = Leaf | Node { left :: Tree a, value :: !a, right :: Tree a } deriving (Show, Eq)
class Container f where
  empty :: f a
  (<+>) :: a -> f a -> f a
instance Container Tree where
  empty = Leaf
  x <+> t = insert x t
insert :: Ord a => a -> Tree a -> Tree a
insert x Leaf = Node Leaf x Leaf
insert x t@(Node l y r)
  | x < y = t { left = insert x l }
  | otherwise = case r of
      Leaf -> Node l y (Node Leaf x Leaf)
      _ -> let r' = insert x r in t { right = r' }
main = do { args <- getArgs; mapM_ (\\a -> putStrLn $ "x" ++ a) args }
""",
    "java": """package shop.orders;
import java.util.*;
/** An order. */
@Entity(name = "order")
public sealed abstract class Order<T extends Comparable<? super T>> implements Priced permits A, B {
  private static final int MAX = 0x1F_FF;
  record Line(int id, String name) { Line { assert id > 0; } }
  enum State { OPEN { int x() { return 1; } }, CLOSED; }
  public Order(int id) { this.id = id; }
  @Override public <R> R map(Function<? super T, R> f) throws IOException {
    try (var in = open()) { return switch (state) { case OPEN -> f.apply(null); default -> { yield null; } }; }
    catch (A | B e) { label: for (;;) { break label; } } finally { run(Order::new); }
    Runnable r = () -> System.out.println(\"\"\"
        text \\{x} block\"\"\");
  }
}
""",
    "javascript": """import def, { a as b } from "./m.js";
/** Runs. */
export default class Queue extends Base {
  #size = 0;
  static async *walk({ x = 1, ...rest }, [y] = []) {
    for await (const item of rest) yield* item?.next ?? `a ${x + `${y}`} b`;
  }
  get size() { return this.#size; }
}
const add = (p, q = 2) => ({ [p]: q, "k": /re[/]x\\/g/gi.test(p) });
label: for (let i = 0; i < 3; i++) { if (i) continue label; else break }
function old() { return <div className="a" {...props}>{list.map(i => <Li key={i}/>)}</div> }
module.exports = { add, run: function () { try { throw new Error } catch { } finally { } } };
""",
    "kotlin": """package shop.orders
import java.util.*
/** An order. */
@Serializable
sealed class Order<out T : Any>(val id: Int, private var name: String? = null) : Base(id), Priced by other {
    companion object { const val MAX = 10 }
    init { require(id > 0) { "bad $id ${name?.length ?: 0}" } }
    var total: Int = 0
        get() = field
        private set(value) { field = value }
    suspend inline fun <reified R> map(crossinline f: (T) -> R): R = when (val x = f(t)) {
        is String -> x
        in 1..3 -> TODO()
        else -> throw Bad()
    }
    operator fun plus(o: Order<*>) = object : Runnable { override fun run() = Unit }
}
fun String.shout() = this.uppercase().also { println(\"\"\"raw $it\"\"\") }
""",
    "lua": """local M = {}
--[==[ a long
comment ]==]
local function fold(list, f, zero)
  for i, v in ipairs(list) do zero = f(zero, v) end
  for i = 1, #list, 2 do if i > 3 then break elseif i < 0 then goto done else i = i // 2 end end
  ::done::
  return zero
end
function M.Account:deposit(amount, ...)
  self.balance = self.balance + amount
  local t <const> = { [1] = "a", b = 'c\\n', [[long]], ..., function() end }
  repeat t.b = t.b .. "x" until not t.b or t.b == nil
  while true do return t end
end
M["key"] = fold
return M
""",
    "php": """<?php
declare(strict_types=1);
namespace Shop\\Orders;
use Shop\\{Item, Price as P};
/** An order. */
#[Entity(table: 'orders')]
final class Order extends Base implements Priced {
    use Logs { log as private trace; }
    public const MAX = 10;
    public function __construct(private readonly ?int $id = null, string ...$names) {}
    public static function of(array $rows): static|null {
        foreach ($rows as ['id' => $id, 'n' => [$a, $b]]) { yield $id => fn($x) => $x ** $a; }
        $s = <<<"TXT"
          hello {$this->name} ${b} $rows[0]
          TXT;
        return match (true) { $id > 3 => new self($id), default => throw new \\Exception("x") };
    }
}
enum Suit: string { case Hearts = 'H'; }
?>
<p><?= $title ?></p>
""",
    "python": '''"""A shop."""
from __future__ import annotations
import os.path as p, sys
@dataclass(frozen=True)
class Order(Base, metaclass=Meta):
    """An order."""
    id: int = 0
    @property
    async def total(self, *args: int, key: str = "x", **rest) -> float:
        """The total."""
        async with a as b, c: yield [x async for x in y if (n := len(x)) > 3]
        return f"{self.id!r:>{width}} {'nested' + f'{1}'}" r"\\d" b"\\x00"
    def run[T](self, /, x: T) -> T:
        match x:
            case {"a": [1, *rest], **kw} if rest: pass
            case Order(id=0) | None: raise ValueError from None
        try: del x
        except* (A, B) as e: ...
        else: global g
lam = lambda *a, **k: (yield)
if __name__ == "__main__": print(Order().run(1), file=sys.stderr)
''',
    "ruby": """# frozen_string_literal: true
module Shop
  # An order.
  class Order < Base
    include Comparable
    attr_accessor :id, :name
    def initialize(id:, name: nil, *rest, **opts, &block) = super()
    def self.of(rows) = rows.map { |r| new(id: r[:id]) }
    def <=>(other)
      text = <<~EOS + %w[a b].join("#{@id + 1}") << <<-'X'
        hello #{name&.upcase}
      EOS
        raw
      X
      case [id, other] in [Integer => a, {name: String}] if a > 1 then a
      else begin; raise ArgumentError, "x"; rescue => e; retry; ensure; p e; end end
    end
    class << self; def build?; yield if block_given? && !/re#{1}x/i.match?("a") ; end; end
    alias_method :call, :run
    private def helper; puts(->(x) { x ** 2 }.(3)) unless %r{a/b} =~ $1; end
  end
end
__END__
data
""",
    "rust": """//! A shop.
use std::{collections::HashMap, fmt::{self, Display as D}};
#[derive(Debug, Clone)]
pub struct Order<'a, T: ?Sized + 'a, const N: usize> where T: Send { pub(crate) id: u32, name: &'a T }
pub enum State { Open, Closed { at: u64 }, Other(i32, String) }
/// Priced.
pub trait Priced { type Unit; const MAX: u8 = 3; fn price(&self) -> Self::Unit; }
impl<'a, T, const N: usize> Priced for Order<'a, T, N> {
    type Unit = f64;
    fn price(&self) -> f64 {
        let x = if let Some(y @ 1..=5) = self.next()? { y } else { return 0. };
        match x { 0 | 1 => {}, n if n > 2 => unsafe { *p.add(1) }, _ => 'l: loop { break 'l 1 } };
        self.items.iter().map(|i| i.price as f64).sum::<f64>() + r#"raw "q" "#.len()
    }
}
macro_rules! sum { ($($x:expr),* $(,)?) => { 0 $(+ $x)* }; }
pub async fn run() -> Result<(), Box<dyn Error>> { println!("{:?} {}", sum![1, 2], b'\\x00'); Ok(()) }
/* outer /* nested */ */
""",
    "scala": """package shop.orders
import scala.collection.{mutable as m, *}
/** An order. */
sealed trait Order[+A <: Any](val id: Int) extends Base with Priced:
  def total(using c: Ctx): Double = items.foldLeft(0.0)(_ + _.price)
object Order { def apply(id: Int) = new Order(id) {}; implicit val ord: Ordering[Order[_]] = null }
case class Line(id: Int, name: String = s"a ${1 + 1} $b") derives Eq
enum State { case Open, Closed(at: Long) }
extension (s: String) def shout: String = s.toUpperCase
given Show[Int] with
  def show(x: Int) = x match
    case 1 | 2 if x > 1 => \"\"\"raw
      text\"\"\"
    case y @ Line(_, n) => n
type F[X] = [Y] =>> Map[X, Y]
@main def run(args: String*): Unit = for { a <- args; b = a if b.nonEmpty } yield try b catch { case _ => 1 }
""",
    "swift": """import Foundation
/// An order.
@available(iOS 13, *)
public final class Order<T: Hashable>: Base, Priced where T.Element == Int {
    private(set) lazy var total: Double = { 1.0 }()
    var name: String? { get { "a \\(id + 1) \\("n")" } set { } willSet { } }
    init?(id: Int) throws { guard let x = y else { return nil }; defer { z() } }
    deinit { }
    static func + (a: Order, b: Order) -> Order { a }
    func map<R>(_ f: @escaping (T) async throws -> R) rethrows -> [R] {
        switch self { case .open(let a) where a > 1: fallthrough; default: break }
        return try await items.compactMap { $0?.price as? R }
    }
    subscript(i: Int) -> T { items[i] }
}
enum State: String { case open = "o", closed; indirect case many(State) }
protocol Priced { associatedtype Unit; var price: Unit { get } }
extension Order: Codable { #if DEBUG
let re = #"raw \\#(x)"#
#endif
}
actor A { nonisolated func f() {} }
""",
    "tsx": """import React, { type FC } from "react";
interface Props<T> extends Base { readonly items?: T[]; onPick(item: T): void }
/** A list. */
export const List: FC<Props<string>> = ({ items = [], onPick, ...rest }) => {
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <>
      {items.map((item, i) => <Row key={i} {...rest} onClick={() => onPick(item!)}>{`a ${item}`}</Row>)}
      <A.B render={<b>text &amp; more</b>} />
    </>
  );
};
export function Generic<T,>(p: { [K in keyof T]?: T[K] }): JSX.Element { return <div/> as unknown }
abstract class C<T> { private constructor(public x: T) {} abstract f(): asserts x is string }
""",
    "typescript": """import type { A } from "./a";
declare module "m" { export function f(x: number): string; }
/** An order. */
@Entity({ table: "orders" })
export abstract class Order<T extends object = {}> extends Base<T> implements Priced {
  private readonly #id!: number;
  constructor(protected name?: string) { super(); }
  static { init(); }
  async *walk<K extends keyof T>(key: K, ...rest: T[K][]): AsyncGenerator<T[K]> { yield* rest; }
  get total(): number { return <number>this.x satisfies number; }
}
type Deep<T> = T extends (infer U)[] ? Deep<U> : { readonly [K in keyof T]-?: `get${Capitalize<K>}` };
enum State { Open = 1 << 2, Closed = "c".length }
namespace N.M { export const x = (a?: unknown): a is string => typeof a === "string"; }
function over(a: string): void; function over(a: any) { label: for (const k in a) break label; }
export = N;
""",
    "zig": """//! A shop.
const std = @import("std");
/// An order.
pub const Order = struct {
    id: u32 = 0,
    name: ?[]const u8,
    pub fn init(comptime T: type, allocator: std.mem.Allocator) !*Order {
        const self = try allocator.create(T);
        errdefer allocator.destroy(self);
        self.* = .{ .id = 1, .name = null };
        return self;
    }
    fn price(self: *const Order, items: [*:0]u8) callconv(.C) f64 {
        outer: for (items, 0..) |*item, i| { if (item.*) |x| break :outer else |err| switch (err) { error.A => {}, else => unreachable } }
        var x: u8 = blk: { break :blk 3; };
        while (x > 0) : (x -%= 1) {}
        return @floatFromInt(x);
    }
};
const State = enum(u8) { open, closed = 2, _ };
const U = union(enum) { a: i32, b: void };
test "orders" { try std.testing.expectEqual(@as(u8, 1), 1); }
const text =
    \\\\multi
    \\\\line
;
""",
}
