"""Abbreviations that names are made of, and what they stand for: one word and its short forms a
line."""

from __future__ import annotations

WRITTEN = """
address: addr
argument: arg args
asynchronous: async
attribute: attr attrs
authenticate: auth authn
authorize: authz
buffer: buf
character: char chars
column: col cols
command: cmd cmds
config: cfg conf configuration configure
connection: conn conns
context: ctx
coordinate: coord
database: db
decode: dec
definition: def defs
delete: del
dependency: dep deps
description: desc
deserialize: de deser
destination: dest dst
difference: diff
directory: dir dirs
document: doc docs
element: elem elems
encode: enc
environment: env
error: err errs
evaluate: eval
exception: ex exc
execute: exec
expression: expr exprs
extension: ext
format: fmt
function: fn func funcs
generate: gen
header: hdr
identifier: id ids
image: img
implement: impl
index: idx
information: info
initialize: init initialise
inputoutput: io
integer: int
international: intl
internationalization: i18n
iterator: iter
language: lang
left: lhs
length: len
library: lib libs
manager: mgr
maximum: max
memory: mem
message: msg msgs
metadata: meta
minimum: min
module: mod mods
multiply: mul
namespace: ns
navigation: nav
number: num
object: obj
operator: op ops
option: opt opts
package: pkg
parameter: param params
performance: perf
pointer: ptr
position: pos
predicate: pred
previous: prev
process: proc procs
property: prop props
random: rand
receive: recv
record: rec
reference: ref refs
regexp: regex
remove: rm
repository: repo
request: req
response: res resp
right: rhs
schedule: sched
separator: sep
sequence: seq
serialize: ser
server: srv
service: svc
session: sess
signal: sig
source: src
specification: spec specs
statement: stmt
statistic: stat stats
string: str strs
subscribe: sub
synchronize: sync
system: sys
table: tbl
temporary: temp tmp
token: tok
transaction: tx txn
translate: trans
typescript: ts
user: usr
utility: util utils
value: val vals
variable: var vars
vector: vec
version: ver
websocket: ws
window: win
"""

SPELLED_OUT = {
    short: word
    for word, _, forms in (line.partition(":") for line in WRITTEN.split("\n"))
    for short in forms.split()
}
