"""What the query file of TypeScript reads off a file."""

from __future__ import annotations

from plait.symbols.outline import outline
from tests.symbols.notation import lines, mentions, signature, symbols

STORE = """\
import type { Item } from "./item";
import fs = require("fs");

/** A store. */
@Injectable()
export abstract class Store<T> extends Box<T> implements Closable, io.Readable<T> {
  private static readonly LIMIT: Size = 3;
  private items: Item[] = [];
  // Takes one in.
  add(item: string): void;
  add(item: any): void { this.push(item as Item); }
  @log
  sync(): void {}
  abstract close(): Promise<Result>;
  handler = (event: Event) => emit(event);
  constructor(private readonly shelf: Shelf) { super(); }
}

export interface Shelf extends Board, geo.Plane {
  width: number;
  put(item: Item): boolean;
}
export enum Color { Red, Green }
declare const enum Flag { On }
export type Pair<A> = { left: A; swap(): Pair<A> };
type Name = string | Alias;
namespace geo.flat { export function area(p: Plane): number { return new Area<Plane>(p); } }
declare module "some/place" { export const VERSION: string; }
export const parse = <T,>(text: string): T => load<T>(text);
export const DEFAULTS = { depth: 1 };
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("typescript", STORE) == [
        ("Store", "class"),
        ("Store.LIMIT", "constant"),
        ("Store.add", "method"),
        ("Store.sync", "method"),
        ("Store.close", "method"),
        ("Store.handler", "method"),
        ("Store.constructor", "constructor"),
        ("Shelf", "interface"),
        ("Shelf.put", "method"),
        ("Color", "enum"),
        ("Flag", "enum"),
        ("Pair", "type"),
        ("Pair.swap", "method"),
        ("Name", "type"),
        ("geo.flat", "module"),
        ("geo.flat.area", "function"),
        ("some/place", "module"),
        ("some/place.VERSION", "constant"),
        ("parse", "function"),
        ("DEFAULTS", "constant"),
    ]


def test_overloads_decorators_and_comments_belong_to_one_definition() -> None:
    assert lines("typescript", STORE)["Store"] == (4, 17)
    assert lines("typescript", STORE)["Store.add"] == (9, 11)
    assert lines("typescript", STORE)["Store.sync"] == (12, 13)


def test_signature_ends_where_the_body_begins() -> None:
    assert signature("typescript", STORE, "Shelf") == "interface Shelf extends Board, geo.Plane"
    assert signature("typescript", STORE, "Pair") == "type Pair<A> ="
    assert signature("typescript", STORE, "Name") == "type Name = string | Alias;"


def test_types_are_referred_to_and_keywords_are_not() -> None:
    found = mentions("typescript", STORE)

    assert found[:10] == [
        "uses Item",
        "imports ./item",
        "imports fs",
        "calls Injectable",
        "uses T",
        "extends Box",
        "uses T",
        "implements Closable",
        "implements Readable",
        "uses T",
    ]
    assert {"extends Board", "extends Plane", "uses Promise", "uses Result"} <= set(found)
    assert {"calls push", "calls emit", "calls Area", "calls load", "uses log"} <= set(found)
    assert not {"uses string", "uses number", "uses Store"} & set(found)


def test_declaration_files_define_without_bodies() -> None:
    code = "export declare const limit: number;\nexport declare function run(): void;\n"

    assert symbols("typescript", code) == [("limit", "constant"), ("run", "function")]


def test_the_same_query_reads_tsx() -> None:
    code = b"export const Page = ({ title }: Props) => <h1>{format(title)}</h1>;\n"
    found = outline("tsx", code)

    assert [(d.qualified_name, d.kind) for d in found.definitions] == [("Page", "function")]
    assert [r.target for _, r in found.mentioned.references] == ["Props", "format"]
