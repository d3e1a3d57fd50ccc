"""What the query file of PHP reads off a file."""

from __future__ import annotations

from tests.symbols.notation import docstring, lines, mentions, signature, symbols

STORE = """\
<?php
namespace Shop;

use Shop\\Tools\\Lock as Bolt;
use Shop\\{Shelf, Item};

/** A store. */
#[Service]
final class Store extends Base\\Box implements Closable, \\Countable {
    use Audited;
    const LIMIT = 3, SIZE = 2;
    private static ?Shelf $shelf = null;

    public function __construct(private Door $door) { parent::__construct(); }

    #[Route]
    public static function build(array $keys): self|Item { return new Item($keys); }
    abstract function close(): void;
}
interface Closable extends Openable { const WAIT = 1; function shut(Key $key); }
trait Audited { function audit() { $this->log(); Clock::now(); \\Shop\\check(1); $x?->stop(); } }
enum Color: string implements Painted { case Red = 'r'; function label() {} }
function main() { require_once __DIR__ . '/boot.php'; $x instanceof Item; }
define('DEBUG', true);
const VERSION = 1;
$later = fn (Item $item) => run($item);
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("php", STORE) == [
        ("Store", "class"),
        ("Store.LIMIT", "constant"),
        ("Store.SIZE", "constant"),
        ("Store.__construct", "constructor"),
        ("Store.build", "method"),
        ("Store.close", "method"),
        ("Closable", "interface"),
        ("Closable.WAIT", "constant"),
        ("Closable.shut", "method"),
        ("Audited", "trait"),
        ("Audited.audit", "method"),
        ("Color", "enum"),
        ("Color.label", "method"),
        ("main", "function"),
        ("DEBUG", "constant"),
        ("VERSION", "constant"),
        ("later", "function"),
    ]


def test_attributes_and_comments_belong_to_the_definition() -> None:
    assert lines("php", STORE)["Store"] == (7, 19)
    assert lines("php", STORE)["Store.build"] == (16, 17)
    assert docstring("php", STORE, "Store") == "/** A store. */"
    assert signature("php", STORE, "Store.close") == "abstract function close(): void;"


def test_references_in_order_of_appearance() -> None:
    assert mentions("php", STORE) == [
        "imports Shop\\Tools\\Lock",
        "imports Shop",
        "uses Shelf",
        "uses Item",
        "uses Service",
        "extends Box",
        "implements Closable",
        "implements Countable",
        "implements Audited",
        "uses Shelf",
        "uses Door",
        "calls __construct",
        "uses Route",
        "uses Item",
        "calls Item",
        "extends Openable",
        "uses Key",
        "calls log",
        "uses Clock",
        "calls now",
        "calls check",
        "calls stop",
        "implements Painted",
        "imports /boot.php",
        "uses Item",
        "calls define",
        "uses Item",
        "calls run",
    ]


def test_namespace_with_braces_qualifies() -> None:
    assert symbols("php", "<?php\nnamespace A\\B { function f() {} }\n") == [("A.B.f", "function")]
