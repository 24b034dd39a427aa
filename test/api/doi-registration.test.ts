import { describe, expect, test } from "vitest";
import { dataciteRegistrar } from "../../server/doi/datacite-registrar.ts";
import { doiRegistration } from "../../server/doi/doi-registration.service.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import { type FakeDatacite, givenDatacite, type Mood } from "../support/fake-datacite.ts";
import type { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";
import { givenDraft, metadata, publish, withoutFiles } from "../support/records.ts";

const body = { ...withoutFiles, metadata: { ...metadata, publisher: "Press" } };
const account = (datacite: FakeDatacite) => ({ url: datacite.url, repository_id: "CARREL.TEST", password: "secret" });

async function givenOwnDoi(client: HttpClient, content: object = body): Promise<string> {
  const id = await givenDraft(client, content);
  expect((await client.post(`/api/records/${id}/draft/pids/doi`)).status).toBe(201);
  await publish(client, id);
  return id;
}

async function edit(client: HttpClient, id: string, change: object): Promise<void> {
  await client.post(`/api/records/${id}/draft`);
  expect((await client.put(`/api/records/${id}/draft`, { ...body, ...change })).status).toBe(200);
  await publish(client, id);
}

/** Starts a separate registration for a server without one. */
function startRegistration(api: Api, datacite: FakeDatacite, timeoutMs = 2000) {
  const { host, services } = api.server;
  const registrar = dataciteRegistrar(account(datacite), timeoutMs);
  return doiRegistration({ host, services, registrar, log: createLog("silent"), backoffMs: 20 });
}

async function listed(api: Api): Promise<Record<string, unknown>[]> {
  const { stdout } = await runCarrel("dois", "list", "--data", api.dataDir);
  return stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe.each(roles)("registering DOIs, published from the %s (records 5)", (role) => {
  test("remote registration is a hook: the reserved DOI is registered by publishing, told of edits", async () => {
    const datacite = await givenDatacite();
    const api = await startApi(role, { settings: { datacite: account(datacite) } });
    const alice = await api.as("alice");
    const id = await givenOwnDoi(alice);
    const doi = `10.5072/${id}`;
    await expect.poll(() => datacite.dois.get(doi)?.state).toBe("findable");
    const url = `${api.server.url}/records/${id}`;
    expect(datacite.dois.get(doi)?.attributes).toMatchObject({ doi, url, titles: [{ title: metadata.title }] });
    expect(datacite.calls[0]).toMatchObject({
      event: "publish",
      authorization: `Basic ${Buffer.from("CARREL.TEST:secret").toString("base64")}`,
    });
    await edit(alice, id, { metadata: { ...body.metadata, title: "Another title" } });
    await expect.poll(() => datacite.dois.get(doi)?.attributes.titles).toEqual([{ title: "Another title" }]);
  });
});

test("an external DOI and a draft's are none of our business (records 5)", async () => {
  const datacite = await givenDatacite();
  const api = await startApi();
  const alice = await api.as("alice");
  const draft = await givenDraft(alice);
  await alice.post(`/api/records/${draft}/draft/pids/doi`);
  await publish(
    alice,
    await givenDraft(alice, { ...body, pids: { doi: { identifier: "10.1234/x", provider: "external" } } }),
  );
  const registration = startRegistration(api, datacite);
  await registration.sendDue();
  await registration.stop();
  expect(datacite.calls).toEqual([]);
});

test("what was published before the account was named is registered when it is; deleted ones are hidden", async () => {
  const datacite = await givenDatacite();
  const api = await startApi();
  const [alice, admin] = [await api.as("alice"), await api.as("admin")];
  const id = await givenOwnDoi(alice);
  const secret = await givenOwnDoi(alice, { ...body, access: { record: "restricted", files: "restricted" } });
  const registration = startRegistration(api, datacite);
  await registration.sendDue();
  expect(datacite.dois.get(`10.5072/${id}`)?.state).toBe("findable");
  expect(datacite.dois.has(`10.5072/${secret}`)).toBe(false);
  await admin.delete(`/api/records/${id}/delete`);
  await registration.sendDue();
  expect(datacite.dois.get(`10.5072/${id}`)?.state).toBe("registered");
  expect(await listed(api)).toMatchObject([{ state: "hidden" }, { record: secret, state: "waiting" }]);
  await admin.post(`/api/records/${id}/restore`, {});
  await registration.sendDue();
  await registration.stop();
  expect(datacite.dois.get(`10.5072/${id}`)?.state).toBe("findable");
});

const failures: [what: string, mood: Mood, reason: RegExp][] = [
  ["does not answer", "silent", /did not answer/],
  ["loses its answers", "lost", /did not answer/],
  ["does not let us in (401)", 401, /answered 401.*Not like this/],
  ["is out of order (503)", 503, /answered 503/],
  ["has too much to do (429)", 429, /answered 429/],
];

test.each(failures)(
  "an agency that %s: publishing goes on, and it is told later, once",
  async (_what, mood, reason) => {
    const datacite = await givenDatacite();
    datacite.mood = mood;
    const api = await startApi();
    const alice = await api.as("alice");
    const registration = startRegistration(api, datacite, 100);
    const id = await givenOwnDoi(alice);
    await expect
      .poll(() => listed(api))
      .toMatchObject([
        {
          doi: `10.5072/${id}`,
          state: "failing",
          reason: expect.stringMatching(reason),
          next_attempt: expect.any(String),
        },
      ]);
    expect((await alice.get(`/api/records/${id}`)).body.pids.doi.identifier).toBe(`10.5072/${id}`);
    datacite.mood = "well";
    await expect.poll(() => listed(api)).toMatchObject([{ state: "registered" }]);
    const calls = datacite.calls.length;
    await registration.sendDue();
    await registration.stop();
    expect(datacite.calls).toHaveLength(calls);
    expect(datacite.dois.size).toBe(1);
  },
);

test("a DOI that is refused (422) waits until its record changes, or is tried again by hand; others go on", async () => {
  const datacite = await givenDatacite();
  datacite.mood = 422;
  const api = await startApi();
  const alice = await api.as("alice");
  const id = await givenOwnDoi(alice);
  const registration = startRegistration(api, datacite);
  await registration.sendDue();
  await registration.sendDue();
  expect(datacite.calls).toHaveLength(1);
  expect(await listed(api)).toMatchObject([{ state: "refused", reason: expect.stringContaining("422") }]);
  datacite.mood = "well";
  const other = await givenOwnDoi(alice);
  await expect.poll(() => datacite.dois.has(`10.5072/${other}`)).toBe(true);
  expect(datacite.dois.has(`10.5072/${id}`)).toBe(false);
  expect(await runCarrel("dois", "retry", "--data", api.dataDir, id)).toMatchObject({ code: 0 });
  await expect.poll(() => datacite.dois.has(`10.5072/${id}`)).toBe(true);
  await registration.stop();
});

test("an agency that is down: one call, not one for each DOI", async () => {
  const datacite = await givenDatacite();
  const api = await startApi();
  const alice = await api.as("alice");
  for (let n = 0; n < 3; n++) await givenOwnDoi(alice);
  datacite.mood = 503;
  const { host, services } = api.server;
  const registrar = dataciteRegistrar(account(datacite));
  const registration = doiRegistration({ host, services, registrar, log: createLog("silent") });
  await registration.sendDue();
  await registration.sendDue();
  await registration.stop();
  expect(datacite.calls).toHaveLength(1);
});

test("a DOI that an administrator retries is sent to an agency that is down at once; the others follow (app 17.8)", async () => {
  const datacite = await givenDatacite();
  const api = await startApi();
  const [alice, admin] = [await api.as("alice"), await api.as("admin")];
  datacite.mood = 401;
  const { host, services } = api.server;
  const registrar = dataciteRegistrar(account(datacite));
  const registration = doiRegistration({ host, services, registrar, log: createLog("silent") });
  const id = await givenOwnDoi(alice);
  await registration.sendDue();
  const other = await givenOwnDoi(alice);
  await registration.sendDue();
  const { body: queue } = await admin.get("/api/administration/dois");
  expect(queue.hits.hits).toMatchObject([
    { record: id, state: "failing", reason: "DataCite answered 401: Not like this." },
    { record: other, state: "waiting" },
  ]);
  datacite.mood = "well";
  await admin.post(`/api/administration/dois/${id}/actions/retry`);
  await registration.sendDue();
  expect(datacite.dois.get(`10.5072/${id}`)?.state).toBe("findable");
  await registration.sendDue();
  expect(datacite.dois.get(`10.5072/${other}`)?.state).toBe("findable");
  await registration.stop();
});

test("a DOI that an administrator retries is sent at once, not within a minute (issue 17: DOI queue)", async () => {
  const datacite = await givenDatacite();
  const api = await startApi();
  const [alice, admin] = [await api.as("alice"), await api.as("admin")];
  datacite.mood = 422;
  const { host, services } = api.server;
  const registrar = dataciteRegistrar(account(datacite));
  const registration = doiRegistration({ host, services, registrar, log: createLog("silent") });
  const id = await givenOwnDoi(alice);
  await registration.sendDue();
  datacite.mood = "well";
  await admin.post(`/api/administration/dois/${id}/actions/retry`);
  await expect.poll(() => datacite.dois.get(`10.5072/${id}`)?.state, { timeout: 20_000 }).toBe("findable");
  await registration.stop();
});

describe.each(roles)("the DOI of all versions, published from the %s (interoperability 13)", (role) => {
  test("is reserved and minted with the first version's DOI, and resolves to the latest", async () => {
    const datacite = await givenDatacite();
    const api = await startApi(role, { settings: { datacite: account(datacite) } });
    const alice = await api.as("alice");
    const id = await givenDraft(alice, body);
    const { body: draft } = await alice.get(`/api/records/${id}/draft`);
    expect(draft.parent.pids).toEqual({});
    const ofAll = `10.5072/${draft.parent.id}`;
    const pids = { doi: { identifier: ofAll, provider: "datacite", client: "datacite" } };
    await alice.post(`/api/records/${id}/draft/pids/doi`);
    await expect.poll(async () => (await alice.get(`/api/records/${id}/draft`)).body.parent.pids).toEqual(pids);
    await alice.delete(`/api/records/${id}/draft/pids/doi`);
    await expect.poll(async () => (await alice.get(`/api/records/${id}/draft`)).body.parent.pids).toEqual({});

    await publish(alice, id);
    await expect.poll(async () => (await alice.get(`/api/records/${id}`)).body.parent?.pids).toEqual(pids);
    const { links } = (await alice.get(`/api/records/${id}`)).body;
    expect(links.parent_doi).toBe(`https://doi.org/${ofAll}`);
    await expect.poll(() => datacite.dois.get(ofAll)?.state).toBe("findable");
    const related = (doi: string) => datacite.dois.get(doi)?.attributes.relatedIdentifiers;
    const isVersionOf = { relatedIdentifier: ofAll, relatedIdentifierType: "DOI", relationType: "IsVersionOf" };
    await expect.poll(() => related(`10.5072/${id}`)).toMatchObject([isVersionOf]);
    const hasVersion = (one: string) => ({
      relatedIdentifier: `10.5072/${one}`,
      relatedIdentifierType: "DOI",
      relationType: "HasVersion",
    });
    expect(datacite.dois.get(ofAll)?.attributes).toMatchObject({
      doi: ofAll,
      url: `${api.server.url}/records/${draft.parent.id}`,
      relatedIdentifiers: [hasVersion(id)],
    });
    expect(datacite.calls.filter(({ doi }) => doi === `10.5072/${id}`)).toHaveLength(1);

    const next = (await alice.post(`/api/records/${id}/versions`)).body.id;
    const changed = { ...body, metadata: { ...body.metadata, title: "The second version" } };
    await alice.put(`/api/records/${next}/draft`, changed);
    await publish(alice, next);
    await expect.poll(() => related(ofAll)).toEqual([hasVersion(next), hasVersion(id)]);
    expect(datacite.dois.get(ofAll)?.attributes.titles).toEqual([{ title: "The second version" }]);
    expect(datacite.dois.get(ofAll)?.attributes).not.toHaveProperty("version");
  });
});

test("a family from before gets the DOI of all versions with its next one; all deleted, it is hidden (interoperability 13)", async () => {
  const api = await startApi();
  const [alice, admin] = [await api.as("alice"), await api.as("admin")];
  const id = await givenOwnDoi(alice);
  expect((await alice.get(`/api/records/${id}`)).body.parent.pids).toEqual({});
  const datacite = await givenDatacite();
  const registration = startRegistration(api, datacite);
  await registration.sendDue();
  api.server.host.settings.datacite = account(datacite);
  const next = (await alice.post(`/api/records/${id}/versions`)).body.id;
  await alice.put(`/api/records/${next}/draft`, body);
  await alice.post(`/api/records/${next}/draft/pids/doi`);
  await publish(alice, next);
  await registration.sendDue();
  const { parent } = (await alice.get(`/api/records/${next}`)).body;
  const ofAll: string = parent.pids.doi.identifier;
  // The agency learns it for the first version too, which it had before.
  expect(datacite.dois.get(`10.5072/${id}`)?.attributes.relatedIdentifiers).toMatchObject([
    { relatedIdentifier: ofAll },
  ]);
  expect(await listed(api)).toContainEqual({ doi: ofAll, record: parent.id, of: "all versions", state: "registered" });

  await admin.delete(`/api/records/${next}/delete`);
  await registration.sendDue();
  expect(datacite.dois.get(ofAll)?.state).toBe("findable");
  expect(datacite.dois.get(ofAll)?.attributes.relatedIdentifiers).toMatchObject([
    { relatedIdentifier: `10.5072/${id}` },
  ]);
  await admin.delete(`/api/records/${id}/delete`);
  await registration.sendDue();
  await registration.stop();
  expect(datacite.dois.get(ofAll)?.state).toBe("registered");
});
