"""Wording: how programs say what went wrong, and how people ask."""

from __future__ import annotations

import re

from plait.messages.values import VALUE

MIN_SAID, MAX_SAID = 3, 40  # words of what may be a message
MIN_WORDS, MAX_WORDS = 4, 15  # of a message that nothing but its words betrays


def _any_of(phrases: str) -> str:
    return "|".join(re.escape(phrase.strip()) for phrase in phrases.replace("\n", ",").split(","))


OPENINGS = _any_of(
    """cannot, can't, can not, could not, couldn't, unable to, failed to, invalid, unexpected
    unknown, unsupported, unrecognized, unrecognised, missing, no such, expected, illegal
    too many, too few, duplicate, undefined, incompatible, malformed, not enough, did not
    permission denied, refusing, ignoring, error in"""
)
SIGNS = _any_of(
    """must be, must not, must have, must contain, may not, cannot, can not, can't, could not
    couldn't, does not, doesn't, do not, don't, did not, didn't, is not, isn't, are not, aren't
    was not, wasn't, were not, has no, have no, has not, not found, not supported, not allowed
    not implemented, not a valid, already exists, already been, already registered, already in use
    is required, are required, out of range, out of bounds, should be, should have, is deprecated
    are deprecated, has been, have been, timed out, failed, unexpectedly, instead of, but got
    but was, is invalid, are invalid, is missing, is unknown, is empty, is too"""
)
ASKING = _any_of(
    """how, where, what, which, who, why, when, does, is, are, should, find, show, list, explain
    get, gets, set, sets, return, returns, check, checks, ensure, ensures, verify, verifies, test
    tests, make, makes, create, creates, add, adds, remove, removes, assert, asserts, determine
    determines, tell, tells, look, looks, throw, throws, raise, raises, reject, rejects, report
    reports, handle, handles, compute, computes"""
)
OPENING = re.compile(
    rf"(?:{OPENINGS}|(?:failed|error) \w+ing|no \w+ (?:found|for|with|given|named))\b",
    re.IGNORECASE,
)
SIGN = re.compile(rf"\b(?:{SIGNS}|(?:, |but )(?:got|found))\b", re.IGNORECASE)
QUESTION = re.compile(rf"\s*(?:{ASKING})\b|.*\?\s*\Z", re.IGNORECASE | re.DOTALL)


def may_be_said(text: str) -> bool:
    """Whether a program could say a text as it stands: some words that ask for nothing."""
    return MIN_SAID <= len(text.split()) <= MAX_SAID and not QUESTION.match(text)


def is_worded_so(text: str) -> bool:
    """Whether a text reads as the messages of programs do, though nothing stands before it."""
    count = len(text.split())
    if count < MIN_WORDS or QUESTION.match(text):
        return False
    if OPENING.match(text):
        return True
    if not SIGN.search(text):
        return False
    return VALUE.search(text) is not None or (count <= MAX_WORDS and text[0].isupper())
