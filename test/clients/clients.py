"""Clients that nobody here wrote, against a running server: clients.py ADDRESS TOKEN RECORD ODD-NAMES. One line each: PASS or FAIL."""

import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

import requests

base, token, record, odd = sys.argv[1:5]
failed = 0


def check(name):
    """Runs the function at once and prints its outcome."""

    def run(work):
        global failed
        try:
            print(f"PASS {name}: {work()}"[:220])
        except Exception as error:
            failed += 1
            print(f"FAIL {name}: {type(error).__name__} {error}"[:600])
            traceback.print_exc(limit=-2, file=sys.stdout)

    return run


def export(name):
    answer = requests.get(f"{base}/records/{record}/export/{name}", timeout=30)
    answer.raise_for_status()
    return answer


@check("sickle: every format of OAI-PMH")
def _():
    from sickle import Sickle

    harvester = Sickle(f"{base}/oai2d")
    formats = [one.metadataPrefix for one in harvester.ListMetadataFormats()]
    assert {"oai_dc", "datacite", "oai_datacite", "marcxml"} <= set(formats)
    counts = {prefix: len(list(harvester.ListRecords(metadataPrefix=prefix))) for prefix in formats}
    assert min(counts.values()) > 0, counts
    return harvester.Identify().repositoryName, counts, len(list(harvester.ListSets()))


@check("feedparser: Atom")
def _():
    import feedparser

    feed = feedparser.parse(f"{base}/search.atom")
    assert not feed.bozo, feed.bozo_exception
    assert feed.entries and all(one.id and one.link and one.title and one.updated_parsed for one in feed.entries)
    return len(feed.entries)


@check("lxml: XML exports")
def _():
    from lxml import etree

    return [etree.fromstring(export(name).content).tag for name in ("datacite-xml", "dublincore", "marcxml", "dcat-ap")]


@check("datacite: the JSON export is valid in schema 4.5, and becomes XML")
def _():
    from datacite import schema45

    found = export("datacite-json").json()
    errors = [error.message for error in schema45.validator.iter_errors(found)]
    assert not errors, errors
    return len(schema45.tostring(found))


@check("rdflib: DCAT")
def _():
    import rdflib

    graph = rdflib.Graph()
    graph.parse(data=export("dcat-ap").text, format="xml")
    assert len(graph) > 10
    return len(graph)


@check("rocrate: the crate as ZIP")
def _():
    from rocrate.rocrate import ROCrate

    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(export("ro-crate-zip").content)
        file.flush()
        crate = ROCrate(file.name)
    return crate.name, len(crate.get_entities())


@check("signposting: items and descriptions of the landing page")
def _():
    from signposting import find_signposting_http

    found = find_signposting_http(f"{base}/records/{record}")
    assert found.items and found.describedBy and found.linksets
    return len(found.items), len(found.describedBy)


@check("pooch: a file by its checksum")
def _():
    import pooch

    entry = requests.get(f"{base}/api/records/{record}/files", timeout=30).json()["entries"][0]
    with tempfile.TemporaryDirectory() as folder:
        return len(pooch.retrieve(base + entry["links"]["content"], known_hash=entry["checksum"], path=folder)) > 0


@check("inveniordm-py: draft, file, publish")
def _():
    from inveniordm_py.client import InvenioAPI
    from inveniordm_py.files.metadata import FilesListMetadata, OutgoingStream
    from inveniordm_py.records.metadata import DraftMetadata

    person = {"type": "personal", "family_name": "Doe", "given_name": "Ann"}
    metadata = {
        "title": "By inveniordm-py",
        "resource_type": {"id": "dataset"},
        "publication_date": "2026-11-25",
        "creators": [{"person_or_org": person}],
    }
    draft = InvenioAPI(f"{base}/api", token).records.create(DraftMetadata(metadata=metadata))
    draft.files.create(FilesListMetadata([{"key": "a.txt"}]))
    file = draft.files("a.txt")
    file.set_contents(OutgoingStream(data=io.BytesIO(b"hello")))
    file.commit()
    assert draft.publish() is not None
    found = requests.get(f"{base}/api/records?q=inveniordm", timeout=30).json()["hits"]["total"]
    assert found >= 1, found
    return found


@check("zenodo-client: a record and its latest version")
def _():
    from zenodo_client import Zenodo

    zenodo = Zenodo(access_token=token)
    zenodo.base, zenodo.api_base = base, f"{base}/api"
    assert zenodo.get_record(record).json()["id"] == record
    return zenodo.get_latest_record(record)


@check("requests: the thumbnails that a record links")
def _():
    links = requests.get(f"{base}/api/records/{record}", timeout=30).json()["links"]["thumbnails"]
    answers = [requests.get(link, timeout=30) for link in links.values()]
    assert all(one.status_code == 200 and one.content[:2] == b"\xff\xd8" for one in answers)
    return list(links)


@check("extruct: JSON-LD, Open Graph and Dublin Core of the landing page")
def _():
    import extruct

    page = requests.get(f"{base}/records/{record}", headers={"Accept": "text/html"}, timeout=30).text
    found = extruct.extract(page, base_url=base, syntaxes=["json-ld", "opengraph", "dublincore"])
    assert all(found.values()), found
    return found["json-ld"][0]["@type"], len(found["json-ld"][0]["distribution"])


@check("ultimate-sitemap-parser: every public record, found by robots.txt")
def _():
    from usp.tree import sitemap_tree_for_homepage

    pages = [page.url for page in sitemap_tree_for_homepage(f"{base}/").all_pages()]
    assert f"{base}/records/{record}" in pages, pages
    return len(pages)


@check("protego: robots.txt permits records, files, OAI-PMH")
def _():
    from protego import Protego

    rules = Protego.parse(requests.get(f"{base}/robots.txt", timeout=30).text)
    paths = ["/", f"/records/{record}", f"/records/{record}/files/", "/oai2d", "/search.atom"]
    assert all(rules.can_fetch(f"{base}{path}", "Googlebot") for path in paths)
    return list(rules.sitemaps)


def fetched(*command):
    """The files that a program saves in an empty folder, by name."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
        return {name: (pathlib.Path(folder) / name).read_bytes() for name in os.listdir(folder)}


for program, arguments in {
    "curl": ["-sSfLOJ"],
    "wget": ["-q", "--content-disposition"],
    "aria2c": ["-q", "--max-connection-per-server=4", "--split=4", "--min-split-size=1M"],
}.items():
    if shutil.which(program) is None:
        print(f"*** NOT RUN: {program}. It is not on this computer. ***")
        continue

    @check(f"{program}: files with odd names")
    def _():
        entries = requests.get(f"{base}/api/records/{odd}/files", timeout=30).json()["entries"]
        for entry in entries:
            [content] = fetched(program, *arguments, f"{base}{entry['links']['content']}?download=1").values()
            assert hashlib.md5(content).hexdigest() == entry["checksum"].removeprefix("md5:"), entry["key"]
        return [entry["key"] for entry in entries]


sys.exit(1 if failed else 0)
