#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The API reference: a page per public header and an index with search, from the headers' own comments.

    api.py OUT      writes OUT/index.html and a page per header; they open from a file

A header is a list of blocks between blank lines: a comment, and the declarations below it. A block that declares a
public function or type needs a comment, and the sources must define each name tc_... of a comment. Each fault is
printed; with one or more the exit status is 1.
"""

import argparse
import html
import json
import re
from pathlib import Path

import common
import names
import reference

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"\b(?:tc|TC)_\w+\b")
COMMENT = re.compile(reference.COMMENT)
STYLE = """body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
pre{background:#f5f5f2;padding:.6em;overflow-x:auto}code,pre,td:first-child{font-family:monospace;font-size:13px}
td{vertical-align:top;padding:.15em .8em .15em 0}a{color:#0b57a4;text-decoration:none}section{margin:1.6em 0}
p{white-space:pre-line}input{width:100%;font-size:16px;padding:.4em}"""
SEARCH = """const box=document.getElementById('q'),out=document.getElementById('found');
function look(){const words=box.value.toLowerCase().split(/\\s+/).filter(w=>w);out.innerHTML='';
if(!words.length)return;const hits=[];
for(const [name,link,text] of INDEX){let score=0;const n=name.toLowerCase(),t=text.toLowerCase();
for(const w of words){if(n===w)score+=100;else if(n.includes(w))score+=20;else if(t.includes(w))score+=1;else{score=-1;break}}
if(score>0)hits.push([score,name,link,text])}
hits.sort((a,b)=>b[0]-a[0]);
for(const [,name,link,text] of hits.slice(0,40)){const p=document.createElement('p'),a=document.createElement('a');
a.href=link;a.textContent=name;p.append(a,' '+text.slice(0,160));out.append(p)}}
box.addEventListener('input',look);box.value=decodeURIComponent(location.hash.slice(1));look();"""


class Block:
    """A comment and what is declared below it."""

    def __init__(self, text):
        self.text = text
        self.comment = next((found.group(1) for found in COMMENT.finditer(text) if text[:found.start()].strip() == ""), "")
        self.code = COMMENT.sub("", text, count=1).strip() if self.comment else text.strip()
        bare = names.without_comments(text)
        self.macros = re.findall(r"^[ \t]*#define (TC_\w+)", bare, re.M)
        self.types = re.findall(r"\}\s*(tc_\w+)\s*;|typedef\s[^;{(]*?\b(tc_\w+)\s*;", bare)
        self.types = [name for pair in self.types for name in pair if name]
        self.functions = [name for name in names.public_names(text) if name not in self.types]

    @property
    def declared(self):
        return [*self.functions, *self.types, *self.macros]


def blocks(text):
    """Those of a header, guards and includes left out; a blank line within braces or a comment ends none."""
    parts, depth = [[]], 0
    for line in text.split("\n"):
        if not line.strip() and depth == 0:
            parts.append([])
        elif not re.match(r"#(?:ifndef TC_\w+_H|define TC_\w+_H$|include|endif|ifdef __cplusplus)|TC_(?:BEGIN|END)$", line):
            parts[-1].append(line)
            bare = re.sub(r"/\*.*?\*/", "", line)
            depth += bare.count("{") - bare.count("}") + bare.count("/*") - bare.count("*/")
    return [Block("\n".join(part)) for part in parts if part]


def headers(root):
    """{name: (floor, [Block])} of what tinycontact.h includes, in its order."""
    order = re.findall(r'^#include "(tc_\w+\.h)"', common.read_text(root / "lib/tinycontact.h"), re.M)
    paths = {path.name: path for path in (root / "lib").glob("*/*.h")}
    return {name: (paths[name].parent.name, blocks(common.read_text(paths[name]))) for name in order}


def faults(found, known):
    """Public functions and types without a comment; names in comments that no source defines."""
    for header, (_, parts) in found.items():
        for block in parts:
            bare = [name for name in block.functions + block.types]
            if bare and not COMMENT.search(block.text):
                yield f"{header}: {', '.join(bare)} has no comment"
            for name in NAME.findall(" ".join(COMMENT.findall(block.text))):
                if not {name, name.removesuffix("s"), re.sub(r"\d+", "", name)} & known and not name.endswith(("_", "_X")):
                    yield f"{header}: a comment names {name}, which no source defines"


def every_name(root):
    """Names in the code of lib/ and port/, and of their files."""
    sources = [*(root / "lib").rglob("*.[ch]"), *(root / "port").rglob("*.[ch]")]
    code = " ".join(names.without_comments(common.read_text(path)) for path in sources)
    code += re.sub(r"##\w+##", "", code)   # of tc_mat##N##_mul the name without the size
    return set(NAME.findall(code)) | {path.stem for path in sources}


def linked(text, places):
    """Escaped text in which each declared name leads to its place."""
    def link(found):
        place = places.get(found.group())
        return f'<a href="{place}">{found.group()}</a>' if place else found.group()
    return NAME.sub(link, html.escape(text))


def prose(comment, places):
    """A comment's paragraphs; indented lines are an example."""
    lines = [re.sub(r"^\s*\*(?!/) ?", "", line).rstrip() for line in comment.strip().split("\n")]
    lines = [line for line in lines if not re.match(r"SPDX-|Copyright|-{4}", line)]
    parts = re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))
    return "".join(f"<pre>{linked(part, places)}</pre>" if part.startswith("    ") else f"<p>{linked(part, places)}</p>"
                   for part in parts if part.strip())


def block_html(block, places):
    if heading := re.fullmatch(r" ?---- (.+?) -+ ?", block.comment):
        return f"<h2>{html.escape(heading.group(1))}</h2>"
    rows = ""
    for struct in re.findall(r"typedef struct (tc_\w+) \{", block.code):
        rows += "".join(f"<tr><td>{linked(name or '', places)}</td><td>{linked(comment, places)}</td></tr>"
                        for name, comment in reference.fields(reference.body(block.text, struct)))
    code = f"<table>{rows}</table>" if rows else f"<pre>{linked(block.code, places)}</pre>" if block.code else ""
    title = ", ".join(f'<code id="{name}">{name}</code>' for name in block.declared)
    return f"<section>{f'<h3>{title}</h3>' if title else ''}{prose(block.comment, places)}{code}</section>"


def page(title, body):
    return (f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>\n'
            f"{body}</html>\n")


def search_index(found):
    return [(name, f"{header}.html#{name}", f"{header} {reference.words(block.comment)}")
            for header, (_, parts) in found.items() for block in parts for name in block.declared]


def write(out, found):
    """The pages; names link to each other."""
    places = {Path(header).stem: f"{header}.html" for header in found}
    places.update({name: f"{header}.html#{name}" for header, (_, parts) in found.items() for b in parts for name in b.declared})
    out.mkdir(parents=True, exist_ok=True)
    for header, (floor, parts) in found.items():
        body = "".join(block_html(block, places) for block in parts)
        common.write_text(out / f"{header}.html", page(header, f'<p><a href="index.html">Index</a> · {floor}</p>\n<h1>{header}</h1>\n{body}'))
    floors = {}
    for header, (floor, _) in found.items():
        floors.setdefault(floor, []).append(f'<a href="{header}.html">{header}</a>')
    rows = "".join(f"<tr><td>{floor}</td><td>{', '.join(links)}</td></tr>\n" for floor, links in floors.items())
    index = json.dumps(search_index(found)).replace("<", "\\u003c")
    common.write_text(out / "index.html", page("tinycontact: API", (
        '<h1>tinycontact: API</h1>\n<input id="q" placeholder="Search names and comments" autofocus>\n<div id="found"></div>\n'
        f"<table>{rows}</table>\n<script>const INDEX={index};\n{SEARCH}</script>\n")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    found = headers(ROOT)
    write(out, found)
    if wrong := [*faults(found, every_name(ROOT))]:
        raise common.Fault("\n".join(wrong) + f"\n{len(wrong)} faults")
    print(f"{out}/index.html: {len(found)} headers, {len(search_index(found))} names")
    return 0


if __name__ == "__main__":
    common.main(main)
