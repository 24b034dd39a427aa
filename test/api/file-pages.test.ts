import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { fixtureBytes, givenRecord } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { picture } from "../support/pictures.ts";
import { run } from "../support/run.ts";

const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEklEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC",
  "base64",
);

let api: Api;
let alice: HttpClient;
let id: string;
beforeAll(async () => {
  api = await startApi("server");
  alice = await api.as("alice");
  const many = Array.from({ length: 9 }, (_one, at) => [`runs/2026/run-${at}.log`, `run ${at}`]);
  id = await givenRecord(alice, {
    "README.md": "# Aim\n\n<b>Bold</b> [the table](data/depths.csv) ![a map](map.png) [away](javascript:alert(1))",
    "data/depths.csv": `station;depth\n${Array.from({ length: 150 }, (_one, at) => `S${at};${at}`).join("\n")}`,
    "map.png": png,
    "scan.tif": await picture(30, 20, "tiff"),
    "page.html": "<script>alert(1)</script>",
    "notes.txt": Buffer.from([0x61, 0, 0xff]),
    "long.txt": "é".repeat(40_000),
    "sound.mp3": "ID3",
    "paper.pdf": "%PDF-1.4",
    "core.bin": "bytes",
    "info-zip.zip": await fixtureBytes("info-zip.zip"),
    "broken.zip": await fixtureBytes("not-a-zip.zip"),
    "empty.zip": await fixtureBytes("empty.zip"),
    "secret.zip": await fixtureBytes("encrypted.zip"),
    ...Object.fromEntries(many),
  });
}, 120_000);

const page = async (path: string, status = 200) => {
  const answer = await api.anonymous.get(path, asBrowser);
  expect(answer.status, path).toBe(status);
  expect(answer.text.match(/<h1[\s>]/g), path).toHaveLength(1);
  return answer.text;
};
const ofFile = (key: string, query = "") => page(`/records/${id}/files/${key}${query}`);

describe("the page of a file (web 3, 4)", () => {
  test("sizes are written in the language of the page (web 2, issue 18)", async () => {
    const german = { headers: { ...asBrowser.headers, "accept-language": "de" } };
    const textOf = async (path: string) => (await api.anonymous.get(`/records/${id}${path}`, german)).text;
    expect(await textOf("")).toMatch(/Alles herunterladen \(\d+,\d kB\)/);
    expect(await textOf("/files/long.txt")).toContain("65,5 kB");
    expect(await textOf("/files/")).toMatch(/\b45 Byte\b/);
  });

  test("text is read in its encoding (web 4, File; issue 18)", async () => {
    const record = await givenRecord(alice, {
      "latin1.csv": Buffer.from("Ort;Größe\nKöln;5\n", "latin1"),
      "utf16le.txt": Buffer.from("\uFEFFGröße\n", "utf16le"),
      "utf16be.txt": Buffer.from("\uFEFFGröße\n", "utf16le").swap16(),
    });
    expect(await page(`/records/${record}/files/latin1.csv`)).toContain(">Größe</th>");
    for (const key of ["utf16le.txt", "utf16be.txt"])
      expect(await page(`/records/${record}/files/${key}`), key).toContain(">Größe");
  });

  test("shows a preview by the kind of the file, with size, sums, type and citation", async () => {
    const table = await ofFile("data/depths.csv");
    expect(table).toContain('<th scope="col">station</th>');
    expect(table.match(/<tr>/g)).toHaveLength(101);
    for (const words of ["The first 100 rows.", "text/csv", "Lovelace, A. (2024).", "MD5", "SHA-256"])
      expect(table).toContain(words);
    const markdown = await ofFile("README.md");
    expect(markdown).toContain("<h3>Aim</h3>");
    expect(markdown).toContain("&lt;b&gt;Bold&lt;/b&gt;");
    expect(markdown).toContain(`/records/${id}/files/data/depths.csv">the table</a>`);
    expect(markdown).not.toContain('href="javascript');
    expect(await ofFile("map.png")).toMatch(
      /<img class="picture" src="[^"]+content" alt="map.png" width="2" height="3">/,
    );
    // Browsers do not show TIFF, so the server draws it (app day: previews).
    const [, drawn = ""] =
      /<img class="picture" src="([^"]+)" alt="scan.tif" width="30" height="20">/.exec(await ofFile("scan.tif")) ?? [];
    const scan = await api.anonymous.get(drawn);
    expect([scan.status, scan.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(await ofFile("page.html")).toContain("&lt;script&gt;alert(1)");
    expect(await ofFile("notes.txt")).toContain("not a text after all");
    expect(await ofFile("long.txt")).toContain("The first 65.5 kB of 80.0 kB.");
    expect(await ofFile("sound.mp3")).toContain("<audio controls");
    expect(await ofFile("paper.pdf")).toContain("Open the PDF in a new tab");
    expect(await ofFile("core.bin")).toContain("No preview for this type");
    await page(`/records/${id}/files/none.txt`, 404);
  });

  test("programs, ?download=1 and the old address of previews get the bytes or the page (web 3)", async () => {
    const path = `/records/${id}/files/data/depths.csv`;
    const wanted = await api.anonymous.get(path, { headers: { accept: "*/*" } });
    expect(wanted.status).toBe(302);
    const content = new URL(wanted.headers.get("location") ?? "");
    expect((await api.anonymous.get(content.pathname)).text).toContain("station;depth");
    const saved = await api.anonymous.get(`${path}?download=1`, asBrowser);
    expect([saved.status, saved.headers.get("location")]).toEqual([302, `${content.href}?download=1`]);
    const old = await api.anonymous.get(`/records/${id}/preview/data/depths.csv`, asBrowser);
    expect([old.status, new URL(old.headers.get("location") ?? "").pathname]).toEqual([301, path]);
  });

  test("lists files by folder, with filter, and many of them by folder on the landing page (web 4, 12)", async () => {
    const root = await page(`/records/${id}/files/`);
    expect(root).toContain(`/records/${id}/files/runs/">runs/</a>`);
    expect(root).toContain("9 files, 45 bytes");
    expect(root).not.toContain("run-3.log");
    const inner = await page(`/records/${id}/files/runs/2026/`);
    expect(inner).toContain("run-3.log");
    expect(await page(`/records/${id}/files?path=runs/2026`)).toContain("run-3.log");
    const found = await page(`/records/${id}/files/?q=RUN-3`);
    expect(found.match(/<li class="file">/g)).toHaveLength(1);
    expect(await page(`/records/${id}/files/?q=nowhere`)).toContain("No file name has this text.");
    await page(`/records/${id}/files/nowhere/`, 404);
    const landing = await page(`/records/${id}`);
    expect(landing).toContain("<details><summary><span>runs/</span>");
    expect(landing).toContain("All 23 files");
  });

  test("a caller who may not read the files learns nothing about them, and is led to the record (web 4; issue 18)", async () => {
    const access = { record: "public", files: "restricted" } as const;
    const closed = await givenRecord(alice, { "hidden-name.txt": "x" }, { access });
    for (const path of ["files", "files/", "files/hidden-name.txt", "files/other.txt", "preview/hidden-name.txt"]) {
      const answer = await api.anonymous.get(`/records/${closed}/${path}`, asBrowser);
      // The address that was asked for is part of the links to sign in and to another language.
      const text = answer.text.replaceAll(/next=[^"]*|href="[^"]*lang=de"/g, "");
      expect([301, 403], path).toContain(answer.status);
      if (answer.status === 301) continue;
      expect(text, path).not.toContain("hidden-name");
      expect(text, path).toContain(`href="/records/${closed}">Go to the record</a>`);
    }
  });
});

describe("the inside of a ZIP as a page (web 4)", () => {
  test("has folders, crumbs, a filter, downloads of members and folders", async () => {
    const listing = (await alice.get(`/api/records/${id}/files/info-zip.zip/container`)).body;
    const [folder] = listing.directories;
    const root = await ofFile("info-zip.zip");
    expect(root).toContain("Files in this archive");
    expect(root).toContain("Download ZIP");
    const inside = await ofFile("info-zip.zip", `?path=${encodeURIComponent(folder.key)}`);
    expect(inside).toContain('aria-label="Where you are in the archive"');
    const addresses = [...`${root}${inside}`.matchAll(/href="([^"]+\/container\/[^"]+)"/g)].map(([, one = ""]) => one);
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) expect((await api.anonymous.get(address)).status).toBe(200);
    const name = listing.entries[0].key.split("/").at(-1);
    expect(await ofFile("info-zip.zip", `?q=${encodeURIComponent(name)}`)).toContain(listing.entries[0].key);
    await page(`/records/${id}/files/info-zip.zip?path=nowhere`, 404);
  });

  test("a broken, empty or encrypted archive is explained, and stays downloadable", async () => {
    const broken = await ofFile("broken.zip");
    expect(broken).toContain("The archive cannot be opened here, but you can download it.");
    expect(broken).toContain("content?download=1");
    expect(await ofFile("empty.zip")).toContain("There is nothing in this folder.");
    const secret = await ofFile("secret.zip", "?q=.");
    expect(secret).toContain("encrypted");
  });
});

test("wget -r brings all files of a record from /files/ (issue 18, interoperability 39)", async () => {
  if (spawnSync("wget", ["--version"]).status !== 0) {
    process.stderr.write("SKIPPED: wget is not installed, so nobody walked the list of files.\n");
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "carrel-wget-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await run("wget", ["-q", "-r", "-np", "-nH", "-P", folder, `${api.server.url}/records/${id}/files/`]);
  const found = await readdir(join(folder, "records", id, "files"), { recursive: true });
  for (const name of ["README.md", "data/depths.csv", "runs/2026/run-8.log", "info-zip.zip"])
    expect(found).toContain(name);
  expect(await readFile(join(folder, "records", id, "files", "core.bin"), "utf8")).toBe("bytes");
});
