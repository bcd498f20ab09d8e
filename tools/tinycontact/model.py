# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Models: named nets with a time step and metadata, what a .tcm file holds."""
import json
import os
import tempfile
from pathlib import Path

from .errors import TinycontactError
from .net import Net, floats
from .record import ContactRecord
from .record_system import SystemRecord

MAX_NETS = 16


def metadata_bytes(metadata):
    """A dict as the JSON of a file; nothing for an empty one."""
    if not metadata:
        return b""
    try:
        text = json.dumps(metadata, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise TinycontactError(f"metadata: cannot be written as JSON ({error})") from None


class Model:
    """1 to 16 nets of different names. step_size: the time step they were trained for [s], 0 if none.
    contact: the ContactRecord of a contact model or the SystemRecord of a CD-Lagrange system, which state their step
    size, or None."""

    def __init__(self, nets, step_size=0.0, metadata=None, contact=None):
        self.nets = [nets] if isinstance(nets, Net) else list(nets)
        self.metadata = dict(metadata or {})
        self.step_size = floats(step_size, "step_size", ())[()]
        self._stored_metadata = None   # (dict, bytes) as read from a file: written back as it was
        if not 1 <= len(self.nets) <= MAX_NETS:
            raise TinycontactError(f"a model has 1 to {MAX_NETS} nets, not {len(self.nets)}")
        names = [net.name for net in self.nets]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise TinycontactError(f"two nets are named {twice[0]!r}")
        if self.step_size < 0:
            raise TinycontactError(f"step_size is {self.step_size:g} s, less than 0")
        self.contact = contact
        if contact is not None and not isinstance(contact, (ContactRecord, SystemRecord)):
            raise TinycontactError(f"contact: is {type(contact).__name__}, wanted a ContactRecord or a SystemRecord")
        if contact is not None and self.step_size == 0:
            raise TinycontactError("step_size: a model with a contact record states its time step")
        metadata_bytes(self.metadata)

    def __getitem__(self, name):
        for net in self.nets:
            if net.name == name:
                return net
        raise TinycontactError(f"no net is named {name!r}; there are:"
                               f" {', '.join(net.name for net in self.nets)}")

    def metadata_bytes(self):
        if self._stored_metadata and self._stored_metadata[0] == self.metadata:
            return self._stored_metadata[1]
        return metadata_bytes(self.metadata)

    def hash(self):
        """The content hash, 32 hexadecimal digits, the same whatever the layout."""
        from .format import content_hash
        return content_hash(self).hex()

    def to_bytes(self, core="cortex-m4", tile=None):
        """The bytes of a .tcm file with weights laid out for a core: portable, cortex-m4 (M4, M7) or helium.
        `tile` (rows, columns) overrides the core's."""
        from .format import decode, encode
        blob = encode(self, core, tile)
        decode(blob)   # so that nothing is written that a target would refuse
        return blob

    def save(self, path, core="cortex-m4", tile=None):
        """Writes a .tcm file, whole or not at all."""
        write_whole(path, self.to_bytes(core, tile))


def check_folder(path):
    """Refuses, before anything takes time, a file that could not be written for want of its folder."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise TinycontactError(f"{path}: cannot be written (there is no folder {folder})")


def write_whole(path, data):
    """Writes bytes under a temporary name beside `path`, then renames: no half a file is left. A link stays one, and
    what is no file (a pipe, /dev/stdout, /dev/null) is written to instead of replaced."""
    path, told = Path(path), path
    try:
        if path.exists() and not path.is_file() or path.parent == Path("/dev"):
            path.write_bytes(data)
            return
        path = Path(os.path.realpath(path))
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise TinycontactError(f"{told}: cannot be written ({error.strerror or error})") from None


def read_bytes(path, limit=1 << 28):
    """The bytes of a file, with an error that names it."""
    try:
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise TinycontactError(f"{path}: {error.strerror or error}") from None
    if len(data) > limit:
        raise TinycontactError(f"{path}: larger than {limit >> 20} MB")
    return data


def read_text(path):
    """The text of a file, with an error that names it; a byte order mark is left out."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TinycontactError(f"{path}: byte {error.start} is not UTF-8 text") from None


def load(path):
    """The Model in a .tcm file; every rule of docs/reference/model-file.md is looked at."""
    return load_with_info(path)[0]


def load_with_info(path):
    """(Model, FileInfo): the contents, and how they are laid out."""
    from .format import decode
    try:
        return decode(read_bytes(path))
    except TinycontactError as error:
        if str(error).startswith(f"{path}: "):
            raise
        error.args = (f"{path}: {error}",)
        raise
