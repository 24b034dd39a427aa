#!/usr/bin/env python3
"""Makes the small ZIP files in this folder. Needs zip (Info-ZIP), 7z and Python 3.8 or later.

The files are committed, so the tests need none of these tools.
"""
import io
import os
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATE = (2024, 5, 17, 12, 30, 40)
STAMP = 1715949040
FILES = {
    "readme.txt": b"Read me first.\n",
    "data/table.csv": b"a,b\n" + b"1,2\n" * 500,
    "data/deep/er/leaf.json": b'{"leaf": true}\n',
    "data/empty.bin": b"",
    "pictures/\u00e9t\u00e9 \u65e5\u672c.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
}


def run(*command, cwd=None, **options):
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL, **options)


def target(name):
    path = HERE / name
    path.unlink(missing_ok=True)
    return path


def folder():
    root = Path(tempfile.mkdtemp())
    for name, content in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "hollow").mkdir()
    for path in [*root.rglob("*")]:
        os.utime(path, (STAMP, STAMP))
    return root


def entry(name, method=zipfile.ZIP_DEFLATED):
    item = zipfile.ZipInfo(name, DATE)
    item.compress_type = method
    return item


class Pipe(io.RawIOBase):
    """A file that cannot seek, so that the writer needs data descriptors."""

    def __init__(self, path):
        self.file = open(path, "wb")

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)

    def close(self):
        self.file.close()
        super().close()


def write_python(path, stream=False):
    sink = Pipe(path) if stream else path
    with zipfile.ZipFile(sink, "w") as archive:
        for index, (name, content) in enumerate(FILES.items()):
            method = zipfile.ZIP_STORED if index % 2 else zipfile.ZIP_DEFLATED
            archive.writestr(entry(name, method), content)
    if stream:
        sink.close()


def write_members(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content, method in members:
            archive.writestr(entry(name, method), content)


def patched(path, changes):
    data = path.read_bytes()
    for old, new in changes:
        assert old in data
        data = data.replace(old, new)
    path.write_bytes(data)


def tools():
    root = folder()
    env = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    run("zip", "-X", "-r", target("info-zip.zip"), ".", cwd=root, env=env)
    run("zip", "-r", target("info-zip-extras.zip"), ".", cwd=root, env=env)
    run("zip", "-X", "-r", "-fd", target("info-zip-stream.zip"), ".", cwd=root, env=env)
    run("zip", "-X", "-r", "-fz", target("info-zip-zip64.zip"), ".", cwd=root, env=env)
    run("7z", "a", "-tzip", target("seven-zip.zip"), ".", cwd=root, env=env)
    run("7z", "a", "-tzip", "-psecret", "-mem=AES256", target("seven-zip-aes.zip"), "readme.txt", cwd=root, env=env)
    mixed = target("encrypted.zip")
    run("zip", "-X", "-r", "-P", "secret", mixed, "data/table.csv", cwd=root, env=env)
    run("zip", "-X", "-r", mixed, "readme.txt", "data/deep", cwd=root, env=env)


def prepended():
    plain = HERE / "python.zip"
    stub = b"#!/bin/sh\nexit 0\n" * 40
    target("prepended.zip").write_bytes(stub + plain.read_bytes())
    adjusted = target("prepended-adjusted.zip")
    adjusted.write_bytes(stub + plain.read_bytes())
    run("zip", "-A", adjusted)
    zip64 = HERE / "info-zip-zip64.zip"
    target("prepended-zip64.zip").write_bytes(stub + zip64.read_bytes())


def odd():
    write_members(target("empty.zip"), [])
    write_members(target("parent.zip"), [("good.txt", b"good", 0), ("../evil.txt", b"evil", 0)])
    write_members(target("inner-parent.zip"), [("a/../../evil.txt", b"evil", 0)])
    write_members(target("absolute.zip"), [("/etc/evil", b"evil", 0)])
    write_members(target("backslash.zip"), [("dir/from-windows.txt", b"windows", 0)])
    patched(HERE / "backslash.zip", [(b"dir/from", b"dir\\from")])
    write_members(target("dots.zip"), [("./here.txt", b"here", 0), ("a//b.txt", b"b", 0), ("a:b.txt", b"colon", 0)])
    write_members(target("cp437.zip"), [("caf_.txt", b"coffee", 0), ("_/inside.txt", b"inside", 8)])
    patched(HERE / "cp437.zip", [(b"caf_.txt", b"caf\x82.txt"), (b"_/inside.txt", b"\x8e/inside.txt")])
    write_members(target("bzip2.zip"), [("packed.txt", b"text " * 200, zipfile.ZIP_BZIP2), ("plain.txt", b"plain", 0)])
    write_members(target("twice.zip"), [("same.txt", b"first", 0), ("same.txt", b"second", 0)])
    write_members(target("sub-routes.zip"), [("content/a.txt", b"a", 0), ("container/b.txt", b"b", 0), ("commit", b"c", 0)])


def broken():
    whole = (HERE / "python.zip").read_bytes()
    target("truncated.zip").write_bytes(whole[: len(whole) // 2])
    target("not-a-zip.zip").write_bytes(b"This is no archive.\n" * 20)
    target("nothing.zip").write_bytes(b"")
    write_members(target("bad-crc.zip"), [("stored.txt", b"0123456789" * 10, 0)])
    patched(HERE / "bad-crc.zip", [(b"0123456789" * 10, b"9123456789" + b"0123456789" * 9)])
    write_members(target("bad-size.zip"), [("more.txt", b"x" * 5000, 8)])
    patched(HERE / "bad-size.zip", [(struct.pack("<I", 5000), struct.pack("<I", 500))])
    write_members(target("bad-count.zip"), [("a.txt", b"a", 0)])
    data = bytearray((HERE / "bad-count.zip").read_bytes())
    data[-12:-10] = struct.pack("<H", 9)
    (HERE / "bad-count.zip").write_bytes(data)
    write_members(target("bad-header.zip"), [("a.txt", b"a", 0)])
    data = bytearray((HERE / "bad-header.zip").read_bytes())
    data[0:4] = b"NOPE"
    (HERE / "bad-header.zip").write_bytes(data)


def main():
    write_python(target("python.zip"))
    write_python(target("python-stream.zip"), stream=True)
    tools()
    prepended()
    odd()
    broken()
    print(f"{len([*HERE.glob('*.zip')])} archives in {HERE}", file=sys.stderr)


main()
