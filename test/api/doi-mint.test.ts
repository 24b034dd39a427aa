import { describe, expect, test } from "vitest";
import { defaultSettings, doiMint, settingsSchema } from "../../shared/settings/settings.schema.ts";
import { roles, startApi } from "../support/api.ts";
import { givenDatacite } from "../support/fake-datacite.ts";
import { givenDraft, metadata, publish, withoutFiles } from "../support/records.ts";

const body = { ...withoutFiles, metadata: { ...metadata, publisher: "Press" } };
const doiOf = (id: string) => `/api/records/${id}/draft/publication-doi`;

test("a DOI is minted on publication when a registrar is configured, else on request (app H3)", () => {
  const datacite = { url: "https://api.datacite.org", repository_id: "X", password: "y" };
  expect(doiMint(defaultSettings)).toBe("on_request");
  expect(doiMint({ ...defaultSettings, datacite })).toBe("on_publish");
  expect(doiMint({ ...defaultSettings, datacite, doi_mint: "on_request" })).toBe("on_request");
  expect(doiMint({ ...defaultSettings, doi_mint: "on_publish" })).toBe("on_publish");
  expect(doiMint({ ...defaultSettings, doi_required: true })).toBe("on_publish");
});

test("only the prefix of a DOI is one in the configuration, for what is published keeps it (issue 17: carrel server)", () => {
  for (const doi_prefix of ["10.5072", "10.1234", "10.1000.10"]) {
    expect(settingsSchema.parse({ doi_prefix }).doi_prefix).toBe(doi_prefix);
  }
  for (const doi_prefix of ["10.5072/", "https://doi.org/10.5072", "x", ""]) {
    const { error } = settingsSchema.safeParse({ doi_prefix });
    expect(error?.issues, doi_prefix).toMatchObject([{ path: ["doi_prefix"] }]);
  }
});

describe.each(roles)("the DOI that publishing gives, on the %s (app H3)", (role) => {
  test("none without a reservation; a reserved and an external one are named", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice, body);
    expect((await alice.get(doiOf(id))).body).toEqual({ identifier: null, source: "on_request" });
    expect((await alice.post(`/api/records/${id}/draft/pids/doi`)).status).toBe(201);
    expect((await alice.get(doiOf(id))).body).toEqual({ identifier: `10.5072/${id}`, source: "own" });
    const pids = { doi: { identifier: "10.1234/abc", provider: "external" } };
    const other = await givenDraft(alice, { ...body, pids });
    expect((await alice.get(doiOf(other))).body).toEqual({ identifier: "10.1234/abc", source: "external" });
  });

  test("with a registrar, what is promised is minted and registered; a restricted record gets none", async () => {
    const datacite = await givenDatacite();
    const account = { url: datacite.url, repository_id: "CARREL.TEST", password: "secret" };
    const api = await startApi(role, { settings: { datacite: account } });
    const alice = await api.as("alice");
    const id = await givenDraft(alice, body);
    const doi = `10.5072/${id}`;
    await expect.poll(async () => (await alice.get(doiOf(id))).body).toEqual({ identifier: doi, source: "on_publish" });
    await publish(alice, id);
    await expect.poll(async () => (await alice.get(`/api/records/${id}`)).body.pids?.doi?.identifier).toBe(doi);
    await expect.poll(() => datacite.dois.get(doi)?.state).toBe("findable");
    const restricted = await givenDraft(alice, { ...body, access: { record: "restricted", files: "restricted" } });
    expect((await alice.get(doiOf(restricted))).body).toEqual({ identifier: null, source: "restricted" });
    await publish(alice, restricted);
    await expect.poll(async () => (await alice.get(`/api/records/${restricted}`)).body.pids).toEqual({});
  });
});
