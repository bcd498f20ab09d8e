# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Which sources of the library a program needs, read out of their texts: make flat FOR=folder.

    of = needed({"tc_mat.c": text, "tc_mat.h": text, ...}, [text of main.c, ...])   # {"tc_mat.c", ...}

A source is needed if a name that it defines is used by the program or by a source that is needed. Names count
everywhere but in comments, so a source too many is possible; one too few is not, and would not link.
"""
import functools
import re

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
NAME = re.compile(r"[A-Za-z_]\w+")
PASTED = re.compile(r"\b(tci?_\w*_)\s*##")
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]+["<]([^">]+)[">]', re.M)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n]*\\\n)*[^\n]*)", re.M)
# A definition begins its line with its type; a prototype ends in a semicolon.
NOT_HERE = r"^(?!.*\b(?:static|typedef|extern|\w*INLINE)\b)"
FUNCTION = re.compile(NOT_HERE + r"[A-Za-z_][ \w*]*?\b(\w+)\([^;{]*\)\s*\{", re.M)
TABLE = re.compile(NOT_HERE + r"[A-Za-z_][ \w*()]*?\b(\w+)(?:\[[^\]]*\])*\s*=", re.M)
INLINE = re.compile(r"^[ \w*]*(?:inline|INLINE)[ \w*]*?\b(\w+)\([^;{]*\)\s*\{(.*?)^\}", re.M | re.S)
OWN = re.compile(r"^static (?!inline)[ \w*]*?\b\w+\([^;{]*\)\s*\{", re.M)   # a function that each includer has for itself
MADE = re.compile(r"^[A-Z][A-Z0-9_]*\((tci?_\w+)", re.M)   # METHOD(tci_lcp_one, ...): a macro that defines this name
LABEL = re.compile(r"^\s*(?:\.global|function\w*)\s+(\w+)", re.M)


def plain(text):
    return COMMENT.sub(" ", text)


@functools.lru_cache(maxsize=None)   # headers are asked for by many sources
def names(text):
    """Those in a text; `tc_kernel_solve_*` for names that a macro makes of their beginning."""
    return {*NAME.findall(text), *(f"{beginning}*" for beginning in PASTED.findall(text))}


@functools.lru_cache(maxsize=None)
def defined(name, text):
    """Names in a text that other files can link to."""
    if name.endswith(".S"):
        return set(LABEL.findall(text))
    return {*FUNCTION.findall(text), *TABLE.findall(text), *(MADE.findall(text) if name.endswith(".c") else ())}


def same(word, other):
    """Whether two names, or beginnings of names, can be one."""
    if word.endswith("*"):
        return other.startswith(word[:-1]) or (other.endswith("*") and word.startswith(other[:-1]))
    return word.startswith(other[:-1]) if other.endswith("*") else word == other


@functools.lru_cache(maxsize=None)
def included(text):
    return INCLUDED.findall(text)


def _through(name, texts, seen):
    """A file and all that it includes."""
    if name in seen or name not in texts:
        return
    seen.add(name)
    for other in included(texts[name]):
        _through(other, texts, seen)


class _Uses:
    """What names stand for: macros and inline functions of headers bring the names in their texts."""

    def __init__(self, texts):
        self.brings = {}
        for name, text in texts.items():
            if name.endswith((".h", ".inc")):
                for word, body in [*MACRO.findall(text), *INLINE.findall(text)]:
                    self.brings.setdefault(word, set()).update(names(body))

    def all(self, found):
        """The names, and what they bring."""
        found, fresh = set(found), set(found)
        while fresh:
            fresh = set().union(*(self.brings.get(name, ()) for name in fresh)) - found
            found |= fresh
        return found


@functools.lru_cache(maxsize=None)
def is_part(name, text):
    """Whether an included file defines more than inline functions."""
    return bool(name.endswith(".inc") or defined(name, text) or OWN.search(text))


def _parts(name, texts):
    """A source, and what it includes as a part of itself: .inc files, and headers that define more than inline functions."""
    seen = set()
    _through(name, texts, seen)
    return [name, *(part for part in seen - {name} if is_part(part, texts[part]))]


class Library:
    """What each source defines and asks for, by its text and its parts'."""

    def __init__(self, texts):
        """texts: {name: text} with comments or without."""
        texts = {name: plain(text) for name, text in texts.items()}
        self.uses, self.asks, self.home = _Uses(texts), {}, {}
        for name in [name for name in texts if name.endswith((".c", ".S"))]:
            parts = _parts(name, texts)
            self.asks[name] = self.uses.all(set().union(*(names(texts[part]) for part in parts)))
            # A macro may define names of such a beginning, or call them.
            begun = {word for word in self.asks[name] if word.endswith("*")}
            for word in set().union(begun, *(defined(part, texts[part]) for part in parts)):
                self.home.setdefault(word, set()).add(name)

    def homes(self, asked):
        """The sources that define what is asked for."""
        loose = [name for name in asked if name.endswith("*")]
        met = {word for word in self.home if word in asked or any(same(word, name) for name in loose)
               or (word.endswith("*") and any(same(word, name) for name in asked))}
        return set().union(*(self.home[word] for word in met))


def needed(texts, program):
    """The sources among `texts` ({name: text}) that programs with the texts `program` link."""
    library, found = Library(texts), set()
    asked = library.uses.all(set().union(*(names(plain(text)) for text in program)))
    while asked:
        fresh = library.homes(asked) - found
        found |= fresh
        asked = set().union(*(library.asks[name] for name in fresh))
    return found


def reached(texts, sources, program):
    """All files among `texts` that the sources and the programs include, the sources too."""
    seen = set()
    for name in sources:
        _through(name, texts, seen)
    for text in program:
        for name in INCLUDED.findall(plain(text)):
            _through(name, texts, seen)
    return seen
