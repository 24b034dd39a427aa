import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { anyMetadata } from "../support/metadata-arbitraries.ts";
import { fullMetadata } from "../support/presented-records.ts";
import { givenDraft, metadata, publish, withoutFiles } from "../support/records.ts";

const missing = "Missing data for required field.";
const person = metadata.creators[0];

describe.each(roles)("metadata on the %s", (role) => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi(role);
  });
  afterAll(() => api.close());

  test("every field of records 8 is stored, shown with its titles, and published", async () => {
    const alice = await api.as("alice");
    const created = await alice.post("/api/records", { files: { enabled: false }, metadata: fullMetadata });
    expect([created.status, created.body.errors]).toEqual([201, undefined]);
    const { body } = created;
    expect(body.metadata).toMatchObject({
      resource_type: { id: "image-photo", title: { en: "Photo" } },
      title: fullMetadata.title,
      publication_date: "2020-06-01",
      creators: [
        {
          person_or_org: { name: "Brown, Troy" },
          affiliations: [{ id: "01ggx4157", name: "European Organization for Nuclear Research" }, { name: "Home" }],
        },
        { person_or_org: { type: "organizational", name: "Research & Sons" } },
      ],
      contributors: [{ role: { id: "editor", title: { en: "Editor" } } }, {}],
      additional_titles: [{ type: { title: { en: "Translated title" } }, lang: { title: { en: "German" } } }],
      languages: [{ id: "eng", title: { en: "English" } }],
      subjects: [{ id: "ford-1.3", subject: "Physical sciences", scheme: "FORD" }, { subject: "frames" }],
      rights: [{ id: "cc-by-4.0", title: { en: expect.any(String) }, props: { url: expect.any(String) } }, {}],
      related_identifiers: [{ relation_type: { id: "cites", title: { en: "Cites" } } }, {}],
      funding: [{ funder: { id: "00k4n6c32", name: "European Commission" }, award: { number: "755021" } }],
    });
    const sentBack = await alice.put(`/api/records/${body.id}/draft`, body);
    expect([sentBack.status, sentBack.body.errors]).toEqual([200, undefined]);
    expect(sentBack.body.metadata).toEqual(body.metadata);
    await publish(alice, body.id);
    expect((await alice.get(`/api/records/${body.id}`)).body.metadata).toEqual(body.metadata);
  });

  test.each<[string, object, string, string]>([
    ["title absent", { title: undefined }, "title", missing],
    ["title too short", { title: "ab" }, "title", "Shorter than minimum length 3."],
    ["title of another type", { title: 5 }, "title", "Not a valid string."],
    ["null", { description: null }, "description", "Field may not be null."],
    ["creators empty", { creators: [] }, "creators", missing],
    ["creators no list", { creators: {} }, "creators", "Not a valid list."],
    ["unreal date", { publication_date: "2021-02-31" }, "publication_date", "Please provide a valid date or interval."],
    ["version too long", { version: "v".repeat(192) }, "version", "Longer than maximum length 191."],
    ["blank size", { sizes: [" "] }, "sizes.0", "Size cannot be a blank string."],
    ["blank format", { formats: [""] }, "formats.0", "Format cannot be a blank string."],
    ["unknown field", { colour: "red" }, "colour", "Unknown field."],
    ["unknown field below", { creators: [{ ...person, colour: 1 }] }, "creators.0.colour", "Unknown field."],
    [
      "person without a type",
      { creators: [{ person_or_org: { name: "X" } }] },
      "creators.0.person_or_org.type",
      "Invalid value. Choose one of ['organizational', 'personal'].",
    ],
    [
      "person without family name",
      { creators: [{ person_or_org: { type: "personal" } }] },
      "creators.0.person_or_org.family_name",
      "Family name cannot be blank.",
    ],
    [
      "organisation without name",
      { creators: [{ person_or_org: { type: "organizational" } }] },
      "creators.0.person_or_org.name",
      "Name cannot be blank.",
    ],
    [
      "wrong check digit",
      { identifiers: [{ scheme: "isbn", identifier: "978-3-16-148410-1" }] },
      "identifiers.0.identifier",
      "Invalid ISBN identifier.",
    ],
    ["unknown scheme", { identifiers: [{ scheme: "x", identifier: "1" }] }, "identifiers.0.scheme", "Invalid scheme."],
    ["nothing of a right", { rights: [{}] }, "rights.0", "An existing id or a free text title must be present"],
    ["contributor without role", { contributors: [person] }, "contributors.0.role", missing],
  ])(
    "%s: 201 with an error, and publish judges what is stored (records 3.3, 3.4, 8)",
    async (_name, change, field, message) => {
      const alice = await api.as("alice");
      const sent = { ...metadata, ...change };
      const { status, body } = await alice.post("/api/records", { files: { enabled: false }, metadata: sent });
      const errors = [{ field: `metadata.${field}`, messages: [message] }];
      expect([status, body.errors]).toEqual([201, errors]);
      const draft = await alice.get(`/api/records/${body.id}/draft`);
      expect(draft.body).not.toHaveProperty("errors");
      const isKept = ["person_or_org", "identifiers", "rights.0", "contributors"].some((part) => field.includes(part));
      const refused = await alice.post(`/api/records/${body.id}/draft/actions/publish`);
      // Dropped values cannot be refused. Required values, and those that stay as sent, are.
      if (isKept) expect([refused.status, refused.body.errors]).toEqual([400, errors]);
      else if (["title", "publication_date", "creators"].includes(field)) {
        expect(refused.body.errors).toEqual([{ field: `metadata.${field}`, messages: [missing] }]);
      } else expect(refused.status).toBe(202);
    },
  );

  test.each<[string, object]>([
    ["resource type", { resource_type: { id: "nope" } }],
    ["language", { languages: [{ id: "nope" }] }],
    ["licence", { rights: [{ id: "nope" }] }],
    ["subject", { subjects: [{ id: "nope" }] }],
    ["affiliation", { creators: [{ ...person, affiliations: [{ id: "nope" }] }] }],
    ["role", { creators: [{ ...person, role: { id: "nope" } }] }],
    ["title type", { additional_titles: [{ title: "Xyz", type: { id: "nope" } }] }],
    ["funder", { funding: [{ funder: { id: "nope" } }] }],
    ["award", { funding: [{ funder: { name: "F" }, award: { id: "nope" } }] }],
  ])("unknown %s: 400, nothing stored (records 3.3)", async (_name, change) => {
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const before = (await alice.get(`/api/records/${id}/draft`)).body;
    const body = { ...withoutFiles, metadata: { ...metadata, title: "Another", ...change } };
    const refused = await alice.put(`/api/records/${id}/draft`, body);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^Invalid value/) } });
    expect((await alice.post("/api/records", body)).status).toBe(400);
    expect((await alice.get(`/api/records/${id}/draft`)).body).toEqual(before);
  });
});

test("random metadata: never 5xx, and PUT of a GET body changes nothing (records 3.2, 3.3)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenDraft(alice);
  const path = `/api/records/${id}/draft`;
  await fc.assert(
    fc.asyncProperty(anyMetadata, async (sent) => {
      const { status, body } = await alice.put(path, { ...withoutFiles, metadata: sent });
      expect([200, 400]).toContain(status);
      if (status === 400) expect(body.message).toMatch(/^Invalid value|^A validation/);
      const before = (await alice.get(path)).body;
      const after = (await alice.put(path, before)).body;
      expect(after.metadata).toEqual(before.metadata);
    }),
    { seed: 20261121, numRuns: 60 },
  );
});
