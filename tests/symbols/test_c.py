"""What the query file of C reads off a file."""

from __future__ import annotations

from plait.symbols.outline import outline
from tests.symbols.notation import docstring, lines, mentions, signature, symbols

STORE = """\
#include <stdio.h>
#include "shelf.h"
#define LIMIT 10
#define STORE_H
#define ADD(a, b) \\
    ((a) + (b))

/* Opens the store. */
static inline struct door *open_store(const key_t *key, size_t n)
{
    static const int local[] = {1, 2};
    lock_t *lock = (lock_t *)take(key->make(n), ADD(1, 2));
    return lock->door;
}
#ifdef WINDOWS
int close_store(struct store *s);
#else
char **names(void);
#endif
void (*on_signal(int sig, void (*handler)(int)))(int);
int PRIVATE(check)(int a) { return a; }
typedef struct node { struct node *next; item_t item; } node_t;
typedef enum { RED, GREEN } color_t;
typedef unsigned long word_t;
typedef int (*visit_t)(void *context);
struct store { union bits { int a; } bits; };
enum size { SMALL };
struct later;
const char *const NAME = "store";
static struct actions table[] = { { open_store } };
int counter = 0;
extern void (*hook)(int);
"""


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("c", STORE) == [
        ("LIMIT", "constant"),
        ("ADD", "macro"),
        ("open_store", "function"),
        ("close_store", "function"),
        ("names", "function"),
        ("on_signal", "function"),
        ("check", "function"),
        ("node_t", "struct"),
        ("color_t", "enum"),
        ("word_t", "type"),
        ("visit_t", "type"),
        ("store", "struct"),
        ("store.bits", "union"),
        ("size", "enum"),
        ("NAME", "constant"),
        ("table", "constant"),
    ]


def test_comment_above_documents_the_definition() -> None:
    assert lines("c", STORE)["open_store"] == (8, 14)
    assert lines("c", STORE)["ADD"] == (5, 6)
    assert docstring("c", STORE, "open_store") == "/* Opens the store. */"


def test_signature_ends_where_the_body_begins() -> None:
    assert signature("c", STORE, "open_store") == (
        "static inline struct door *open_store(const key_t *key, size_t n)"
    )
    assert signature("c", STORE, "table") == "static struct actions table[] ="


def test_references_in_order_of_appearance() -> None:
    assert mentions("c", STORE)[:9] == [
        "imports stdio.h",
        "imports shelf.h",
        "uses door",
        "uses key_t",
        "uses lock_t",
        "uses lock_t",
        "calls take",
        "calls make",
        "calls ADD",
    ]


def test_prototypes_survive_macros_the_parser_has_not_expanded() -> None:
    code = (
        "EXPORT\nint g_print (char const *format, ...) PRINTF (1, 2);\nEXPORT\nbox *g_new (void);\n"
    )

    found = outline("c", code.encode()).definitions

    assert [item.name for item in found] == ["g_print", "g_new"]


def test_prototypes_in_a_linkage_block_are_found() -> None:
    code = (
        '#ifdef __cplusplus\nextern "C" {\n#endif\nint run(void);\n#ifdef __cplusplus\n}\n#endif\n'
    )

    found = outline("c", code.encode()).definitions

    assert [(item.qualified_name, item.kind) for item in found] == [("run", "function")]
