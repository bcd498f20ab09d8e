# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A report: one HTML file that needs no other (pictures are inside it), and the pictures as PNG beside it."""
import base64
import html
import io
from pathlib import Path

from ..errors import TinycontactError
from ..model import write_whole

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1c2330; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #d5dae3; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #e4e8ef; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; border-bottom: 2px solid #9aa5b8; }
figure { margin: 1.2rem 0; } img { max-width: 100%; } figcaption, .note { color: #566178; font-size: .9rem; }
@media (prefers-color-scheme: dark) { body { background: #14181f; color: #dfe4ec; } img { background: #fff; }
 th, td, h2 { border-color: #39424f; } figcaption, .note { color: #9aa5b8; } }
"""


def png_bytes(figure, dpi=130):
    """The picture; the same bytes for the same figure and matplotlib."""
    held = io.BytesIO()
    figure.savefig(held, format="png", dpi=dpi, metadata={"Software": None})
    return held.getvalue()


def length(metres):
    """A length as a person says it: '0.32 mm', '12.3 mm', '45.7 m'."""
    return f"{metres:.3g} m" if abs(metres) >= 1 else f"{1000 * metres:.3g} mm"


def text_table(header, rows):
    """The same table for a terminal."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    return "\n".join("  ".join(cell.ljust(widths[k]) if k == 0 else cell.rjust(widths[k])
                               for k, cell in enumerate(row)).rstrip() for row in cells)


class Page:
    """Headings, texts, tables and pictures in the order they are added."""

    def __init__(self, title):
        self.title = title
        self._body, self._pictures = [f"<h1>{html.escape(title)}</h1>"], {}

    def heading(self, text):
        self._body.append(f"<h2>{html.escape(text)}</h2>")

    def text(self, text):
        self._body.append(f'<p class="note">{html.escape(text)}</p>')

    def lines(self, texts):
        """Short texts, each in a line of its own."""
        lines = "<br>".join(html.escape(text.strip()) for text in texts)
        self._body.append(f'<p class="note">{lines}</p>')

    def table(self, header, rows):
        def line(tag, cells):
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
        body = "".join(line("td", row) for row in rows)
        self._body.append(f"<table><thead>{line('th', header)}</thead><tbody>{body}</tbody></table>")

    def picture(self, name, figure, caption):
        """`name`.png, and in the page."""
        data = png_bytes(figure)
        self._pictures[f"{name}.png"] = data
        code = base64.b64encode(data).decode("ascii")
        told = html.escape(caption)
        self._body.append(f'<figure><img alt="{told}" src="data:image/png;base64,{code}">'
                          f"<figcaption>{told}</figcaption></figure>")

    def html(self):
        return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(self.title)}'
                f"</title><style>{STYLE}</style></head>\n<body>\n" + "\n".join(self._body) + "\n</body></html>\n")

    def save(self, folder):
        """index.html and the PNGs into a folder, which is made; each file whole or not at all, the page last."""
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TinycontactError(f"{folder}: cannot be made ({error.strerror or error})") from None
        for name, data in self._pictures.items():
            write_whole(folder / name, data)
        write_whole(folder / "index.html", self.html().encode("utf-8"))
        return folder / "index.html"
