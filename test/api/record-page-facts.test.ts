import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

test("shows all that its depositor filled in: other titles and descriptions, awards, sizes, formats, places, references, custom fields (records 8; issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const page = (path: string) => api.anonymous.get(path, { headers: { accept: "text/html" } });
  const methods = { description: "<p>Taken by a gravity corer.</p>", type: { id: "methods" } };
  const more = {
    additional_titles: [
      { title: "Sea of Ice", type: { id: "subtitle" } },
      { title: "Eismeer", type: { id: "translated-title" }, lang: { id: "deu" } },
    ],
    additional_descriptions: [methods, { ...methods, description: "<p>Mit dem Lot.</p>", lang: { id: "deu" } }],
    funding: [{ funder: { name: "Polar Fund" }, award: { number: "PF-7", title: { en: "Ice cores" } } }],
    sizes: ["11 pages"],
    formats: ["application/x-netcdf"],
    locations: {
      features: [{ place: "Longyearbyen", geometry: { type: "Point", coordinates: [15.6, 78.2] } }],
    },
    references: [{ reference: "Nansen, F. (1897). Farthest North." }],
  };
  const custom_fields = {
    "journal:journal": { title: "Journal of Ice", volume: "12" },
    "code:codeRepository": "https://example.org/code",
    "code:developmentStatus": { id: "active" },
  };
  const id = await givenRecord(alice, {
    metadata: { ...metadata, ...more },
    custom_fields,
    files: { enabled: false },
  });
  const { text } = await page(`/records/${id}`);
  for (const shown of [
    "<dt>Other titles</dt><dd>Subtitle: Sea of Ice</dd>",
    '<dd>Translated title: <span lang="de">Eismeer</span></dd>',
    '<h3 class="sub">Methods</h3><div class="prose" dir="auto"><p>Taken by a gravity corer.</p></div>',
    '<div class="prose" dir="auto" lang="de"><p>Mit dem Lot.</p></div>',
    "<dd>Polar Fund · PF-7 · Ice cores</dd>",
    "<dt>Sizes</dt><dd>11 pages</dd>",
    "<dt>Formats</dt><dd>application/x-netcdf</dd>",
    "<dt>Places</dt><dd>Longyearbyen · 78.2, 15.6</dd>",
    "<dt>References</dt><dd>Nansen, F. (1897). Farthest North.</dd>",
    '<h3 class="sub">Journal</h3><dl class="facts"><dt>Journal title</dt><dd>Journal of Ice</dd><dt>Volume</dt><dd>12</dd></dl>',
    '<dd><a class="bare" href="https://example.org/code">https://example.org/code</a></dd>',
    "<dt>Development status</dt><dd>Active</dd>",
  ])
    expect(text).toContain(shown);
  const german = (await page(`/records/${id}?lang=de`)).text;
  expect(german).toContain('<h3 class="sub">Zeitschrift</h3>');
  expect(german).toContain("<dt>Band</dt><dd>12</dd>");
});

test("a draft is cited by the address that its record will have (issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenDraft(alice);
  const { text } = await alice.get(`/records/${id}?preview=1`, { headers: { accept: "text/html" } });
  expect(text).toMatch(new RegExp(`id="citation"[^<]*${api.server.url}/records/${id}</p>`));
  const { text: bibtex } = await alice.get(`/api/records/${id}/draft`, { headers: { accept: "application/x-bibtex" } });
  expect(bibtex).toContain(`${api.server.url}/records/${id}}`);
});

test("who may not read the files is led to who decides: the owner if they take requests, else the repository (web 4, issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const page = (path: string) => api.anonymous.get(path, { headers: { accept: "text/html" } });
  const access = { record: "public", files: "restricted" };
  const id = await givenDraft(alice, { metadata: { ...metadata, languages: [{ id: "deu" }] }, access });
  await addFile(alice, id, "data.csv", "x");
  await publish(alice, id);
  const closed = await page(`/records/${id}`);
  expect(closed.text).toContain('<a href="/contact">Write to us</a>');
  expect(closed.text).toContain('<p id="citation" dir="auto" lang="de">');
  await alice.put(`/api/records/${id}/access`, { allow_user_requests: true });
  const asked = await page(`/records/${id}`);
  expect(asked.text).toContain("Ask for access");
  expect(asked.text).not.toContain("Write to us");
});
