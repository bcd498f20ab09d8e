# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Third-party sources in build/third_party: fetched by the first route that works, judged by their contents.

tools/third_party.json states for each package the files that are needed, the SHA-256 of each with line ends
as LF (one registry's archive has CRLF), and the routes in the order they are tried. Whatever the route, the
folder ends with these files, byte for byte the same, and no others. A package is written to a folder beside
its place and moved there whole, so an interrupted run leaves the old one or none.
"""
import hashlib
import json
import os
import shutil
from pathlib import Path

import routes
from clients import ClientError, Step, StepError

MANIFEST_NAME = "third_party.json"
INCOMING = ".incoming-"  # a package on its way in; what a killed run leaves is removed by the next


def canonical(data):
    return data.replace(b"\r\n", b"\n")


def digest(data):
    return hashlib.sha256(canonical(data)).hexdigest()


def load(manifest):
    """The packages of the manifest; a manifest that cannot be read is the reader's to mend."""
    try:
        listed = json.loads(manifest.read_text(encoding="utf-8"))["packages"]
        for package in listed:
            for path in package["files"]:
                if path.startswith("/") or ".." in path.split("/"):
                    raise ValueError(f"{path} leads out of its folder")
        return listed
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StepError("third-party manifest", f"{manifest}: {type(error).__name__}: {error}",
                        "restore the file from version control") from error


def title(package):
    return f"{package['name']} {package['version']}"


def complaints(package, contents):
    """What is wrong with {path: bytes or None}: each file that is missing or has other contents."""
    wrong = []
    for path, expected in package["files"].items():
        data = contents.get(path)
        if data is None:
            wrong.append(f"{package['name']}/{path} is missing")
        elif digest(data) != expected:
            wrong.append(f"{package['name']}/{path} differs: SHA-256 {digest(data)[:16]}..., "
                         f"expected {expected[:16]}...")
    return wrong


def shorten(wrong, limit=4):
    more = [f"and {len(wrong) - limit} more"] if len(wrong) > limit else []
    return "\n".join(wrong[:limit] + more)


def read(package, folder):
    paths = {path: folder / package["name"] / path for path in package["files"]}
    return {path: file.read_bytes() for path, file in paths.items() if file.is_file()}


def check(package, folder):
    return complaints(package, read(package, folder))


def files(package, folder):
    return [str(folder / package["name"] / path) for path in package["files"]]


def clean(folder):
    for left in folder.glob(f"{INCOMING}*"):
        shutil.rmtree(left, ignore_errors=True)


def place(package, contents, folder):
    """Writes the package beside its place, then moves it there in one rename."""
    fresh = folder / f"{INCOMING}{package['name']}"
    for path in package["files"]:
        file = fresh / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(canonical(contents[path]))
    target, old = folder / package["name"], folder / f"{INCOMING}{package['name']}.old"
    if target.is_symlink() or target.is_file():
        target.unlink()
    elif target.exists():
        os.rename(target, old)
    os.rename(fresh, target)


def fetch(package, folder, step, trust=False):
    """Tries the routes in turn; contents that do not match count as a route that failed."""
    refused = []
    for route in package["routes"]:
        work = folder / f"{INCOMING}work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        try:
            contents = routes.fetch(route, list(package["files"]), work.resolve())
            wrong = [] if trust else complaints(package, contents)
        except (ClientError, OSError) as error:
            wrong = [str(error)]
        finally:
            shutil.rmtree(work, ignore_errors=True)
        if not wrong:
            step.note = f"by {routes.describe(route)}"
            if refused:
                step.note += f" (not by {'; '.join(refused).splitlines()[0]})"
            return contents
        refused.append(f"{routes.describe(route)}: {shorten(wrong)}")
    raise StepError(title(package), "\n".join(refused),
                    "make one of these reachable and try again;\n"
                    "where contents differ, that version is no longer what it was: tell the maintainers;\n"
                    f"or put the files that tools/{MANIFEST_NAME} lists into\n{folder / package['name']}\n"
                    "by hand: they are accepted by their contents")


def ensure(manifest, folder, offline):
    """Brings every package of the manifest to what it states; returns the files that stand for it."""
    packages = load(manifest)
    folder.mkdir(parents=True, exist_ok=True)
    clean(folder)
    for package in packages:
        wrong = check(package, folder)
        if not wrong:
            continue
        if offline:
            raise StepError(title(package), shorten(wrong),
                            "run the setup once with a network, without --offline")
        if (folder / package["name"]).exists():
            print(f"setup: {shorten(wrong, 1).splitlines()[0]}; fetching {package['name']} anew")
        with Step(title(package)) as step:
            place(package, fetch(package, folder, step), folder)
        clean(folder)
    return [path for package in packages for path in files(package, folder)]


def rehash(manifest, folder):
    """For maintainers, after a change of version: what the first working route gives is the new truth."""
    packages = load(manifest)
    folder.mkdir(parents=True, exist_ok=True)
    clean(folder)
    for package in packages:
        with Step(title(package)) as step:
            contents = fetch(package, folder, step, trust=True)
        absent = [path for path in package["files"] if path not in contents]
        if absent:
            raise StepError(title(package), shorten([f"{path} is not there" for path in absent]),
                            f"correct the list of files in tools/{MANIFEST_NAME}")
        package["files"] = {path: digest(contents[path]) for path in sorted(package["files"])}
        place(package, contents, folder)
    clean(folder)
    text = json.dumps({"packages": packages}, indent=1) + "\n"
    manifest.with_suffix(".tmp").write_text(text, encoding="utf-8")
    os.replace(manifest.with_suffix(".tmp"), manifest)


def default_manifest(root):
    return Path(root) / "tools" / MANIFEST_NAME
