"""Scoring: what a term is worth in a chunk, by the engine's BM25 or by our own.

Lucene counts deleted documents in the frequencies of words until it has merged them away, and
OpenSearch keeps them for the recovery of replicas for a while. In a large collection that moves
scores by a trifle. In a small one it could be most of what is counted, so there, once anything
was deleted, a script computes the same formula from what we count ourselves. It reads every
posting, which in a small collection takes a few milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from plait.expressions import wanted_leaves
from plait.stores.cluster.counting import Counting
from plait.stores.cluster.queries import Body, TermQuery
from plait.stores.cluster.schema import length_field
from plait.stores.cluster.view import View
from plait.types import Expression, Phrase, Term

K1, B = 1.2, 0.75
SMALL = 20_000  # chunks of a collection that is counted by ourselves
# Lengths are rounded as Lucene rounds them: above 31, to four leading bits of what exceeds 24.
SCRIPT = """
double frequency = termFreq(params.field, params.term);
long length = doc[params.length].value;
if (length > 31) {
  long more = length - 24;
  int shift = 60 - Long.numberOfLeadingZeros(more);
  length = 24 + ((more >> shift) << shift);
}
return params.weight * frequency / (frequency + params.least + params.slope * length);
"""


def plain(term: Term) -> Body:
    """A term scored by the engine. It leaves a constant factor out of BM25 that the textbook
    has; a boost puts it back, so that scores of both engines mean the same."""
    return {"term": {term.field.value: {"value": term.text, "boost": term.weight * (K1 + 1)}}}


def scoring(view: View, counting: Counting, wanted: Expression) -> tuple[TermQuery, bool]:
    """How the terms of an expression are scored, and whether the engine does it."""
    if not view.manifest.has_removed or counting.statistics().chunks > SMALL:
        return plain, True
    terms = list(_terms(wanted))
    if not terms:
        return plain, True
    frequencies = counting.frequencies((term.field, term.text) for term in terms)

    def exact(term: Term) -> Body:
        chunks, mean = counting.mean_length(term.field)
        having = frequencies[term.field, term.text]
        rarity = math.log(1 + (max(chunks - having, 0) + 0.5) / (having + 0.5))
        params = {
            "field": term.field.value,
            "term": term.text,
            "length": length_field(term.field),
            "weight": term.weight * rarity * (K1 + 1),
            "least": K1 * (1 - B),
            "slope": K1 * B / mean,
        }
        script = {"source": SCRIPT, "params": params}
        query = {"term": {term.field.value: term.text}}
        return {"script_score": {"query": query, "script": script}}

    return exact, False


def _terms(wanted: Expression) -> Iterable[Term]:
    for leaf in wanted_leaves(wanted):
        match leaf:
            case Term():
                yield leaf
            case Phrase(terms=terms):
                yield from (Term(term) for term in terms)
