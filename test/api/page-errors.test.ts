import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

let api: Api;
let alice: HttpClient;
beforeAll(async () => {
  api = await startApi("server");
  alice = await api.as("alice");
}, 60_000);

describe("what other programs find (web 3, 4, 11; issue 18)", () => {
  test("errors of pages are JSON for programs, and a page with the number of the call for browsers", async () => {
    const draft = await givenDraft(alice, { metadata, access: { record: "restricted", files: "restricted" } });
    await addFile(alice, draft, "a.txt", "bytes");
    await publish(alice, draft);
    const paths = ["/records/unknown/export/bibtex", "/records/unknown/people", `/records/${draft}/files/a.txt`];
    for (const path of [...paths, `/records/${draft}/export/constructor`]) {
      const { status, body } = await api.anonymous.get(path, { headers: { accept: "application/json" } });
      expect([path, body.status]).toEqual([path, status]);
      const shown = await api.anonymous.get(path, asBrowser);
      expect([path, shown.status]).toEqual([path, status]);
      expect(shown.text).toContain(shown.headers.get("x-request-id"));
    }
  });

  test("names of an object's own are no exports", async () => {
    const id = await givenRecord(alice);
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"])
      expect((await api.anonymous.get(`/records/${id}/export/${name}`)).status).toBe(404);
  });

  test("title and abstract of a record in one other language say so", async () => {
    const german = { ...metadata, title: "Gezeiten", description: "<p>Gemessen.</p>", languages: [{ id: "deu" }] };
    const { id } = (await alice.post("/api/records", { metadata: german, files: { enabled: false } })).body;
    await publish(alice, id);
    const { text } = await api.anonymous.get(`/records/${id}?lang=en`, asBrowser);
    expect(text).toContain('<h1 dir="auto" lang="de">Gezeiten</h1>');
    expect(text).toContain('<div class="prose" dir="auto" lang="de">');
    expect((await api.anonymous.get(`/records/${id}?lang=de`, asBrowser)).text).toContain(
      '<h1 dir="auto">Gezeiten</h1>',
    );
  });
});
