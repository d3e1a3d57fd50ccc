"""Tags: is this a test, a copy, a product of a machine, prose, or data?

Rankings and filters treat such files differently, so each gets tags, by rule: from its path by
the habits of its language, and where a path does not tell, from its first bytes. A tag that is
wrong hides code, so a rule that cannot be sure says nothing.
"""

from plait.sources.tags.rules import RULES, Rule, tags_of

__all__ = ["RULES", "Rule", "tags_of"]
