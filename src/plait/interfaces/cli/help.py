"""The first page of help, and what is printed for verbs that are still to come.

It is text, so that ``plait --help`` costs nothing but starting Python.
"""

from __future__ import annotations

HELP = """\
Search code by words, names and questions. Every result can say why it was found.

Usage: plait QUERY [PATH]          the same as plait search QUERY [PATH]
       plait VERB [OPTIONS] ...

Find
  search QUERY [PATH]              the code that best answers a query (the default)
  grep PATTERN [PATH...]           every line that matches, with ripgrep's options
  symbols [QUERY|FILE] [PATH]      symbols by name, or the outline of a file
  def NAME [PATH]                  where a symbol is defined
  explain QUERY FILE:LINE [PATH]   why a line ranks as it does, or does not match
  similar FILE:LINE [PATH]         code like that at a line; --duplicates: all copies
  clusters [PATH]                  what the code is about: groups of similar code

Index (kept in your cache folder; made on first use, refreshed before every search)
  index [PATH...]                  bring the index up to date; --dry-run, --rebuild, --check
  status [PATH]                    what the index holds and whether it is stale
  clear [PATH]                     remove the index

On a cluster (every verb above with --store opensearch://host:9200/collection)
  index --store ADDRESS REPO...    many repositories into one collection, several at a time
  status --store ADDRESS           how the cluster and the collection are doing, and advice
  store snapshot REPOSITORY NAME   back up the collection; store restore restores it

Measure
  eval run DATASET                 ask a dataset's questions and measure the answers
  eval mine REPO                   make a dataset from a repository's history
  eval compare A B, eval gate A B  is run B better than run A? may it replace it?
  eval report RUN...               one page that shows it all; eval fetch, eval economy

Tools
  model list, model fetch ID       the models that search by meaning; model set, model bench
  doctor [PATH]                    check the installation and the index
  completion SHELL                 print the completion script: bash, zsh, fish, powershell

Examples
  plait "how are timeouts configured"
  plait 'retry lang:python -is:test' src/ -n 5 --explain
  plait '/timeout(_s|_ms)? *=/ lang:python -is:test' -C 2

plait VERB --help lists the options of a verb; plait --version prints the version.
Exit status: 0 results, 1 none, 2 error, 3 partial or stale with --strict, 130 on Ctrl-C.
"""

COMPLETE = "_PLAIT_COMPLETE"  # set by the shell's completion script

VERBS = (
    "search",
    "grep",
    "symbols",
    "def",
    "explain",
    "similar",
    "clusters",
    "index",
    "status",
    "clear",
    "doctor",
    "completion",
    "eval",
    "model",
    "store",
)

# Reserved, so that what is typed today keeps its meaning when they arrive.
LATER = (
    "watch",
    "callers",
    "callees",
    "implementors",
    "why-not",
    "serve",
    "mcp",
    "feedback",
)
