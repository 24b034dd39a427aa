import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenDraft, givenRecord, metadata, publish, withoutFiles } from "../support/records.ts";

const published = { ...withoutFiles, metadata: { ...metadata, publisher: "Press" } };
const external = (identifier: string) => ({ ...published, pids: { doi: { identifier, provider: "external" } } });

describe.each(roles)("DOIs on the %s", (role) => {
  test("reserve, refuse a second, give back (records 5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const path = `/api/records/${id}/draft/pids/doi`;
    const reserved = await alice.post(path);
    expect(reserved.status).toBe(201);
    expect(reserved.body).toMatchObject({
      created: expect.stringMatching(/T.*\+00:00$/),
      pids: { doi: { identifier: `10.5072/${id}`, provider: "datacite", client: "datacite" } },
      links: { doi: `https://doi.org/10.5072/${id}`, reserve_doi: expect.stringMatching(/draft\/pids\/doi$/) },
    });
    const again = await alice.post(path);
    expect(again.status).toBe(400);
    expect(again.body).toEqual({
      status: 400,
      message: "A validation error occurred.",
      errors: [{ field: "pids.doi", messages: ["A PID already exists for type doi"] }],
    });
    const saved = await alice.put(`/api/records/${id}/draft`, withoutFiles);
    expect(saved.body.pids.doi.identifier).toBe(`10.5072/${id}`);
    expect((await alice.delete(path)).status).toBe(204);
    expect((await alice.get(`/api/records/${id}/draft`)).body.pids).toEqual({});
    expect((await alice.delete(path)).body.message).toBe("The persistent identifier does not exist.");
    expect((await alice.post(`/api/records/${id}/draft/pids/ark`)).status).toBe(404);
  });

  test("a reserved DOI is registered by publishing and stays (records 5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    await alice.post(`/api/records/${id}/draft/pids/doi`);
    const refused = await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect(refused.body.errors).toEqual([
      { field: "metadata.publisher", messages: ["Missing publisher field required for DOI registration."] },
    ]);
    await alice.put(`/api/records/${id}/draft`, published);
    await publish(alice, id);
    const { pids, links } = (await alice.get(`/api/records/${id}`)).body;
    expect(pids.doi.identifier).toBe(`10.5072/${id}`);
    expect(links.self_doi).toBe(`https://doi.org/10.5072/${id}`);
    await alice.post(`/api/records/${id}/draft`);
    const kept = await alice.put(`/api/records/${id}/draft`, { ...published, pids: {} });
    expect(kept.body.pids).toEqual(pids);
    const answer = await alice.delete(`/api/records/${id}/draft/pids/doi`);
    expect(answer.body.errors).toEqual([
      { field: "pids.doi", messages: ["Cannot discard a reserved or registered persistent identifier."] },
    ]);
  });

  test.each([
    [5, "Not a valid string."],
    [null, "Field may not be null."],
  ])(
    "entry {identifier: string, provider: string, client?: string}: client %j is reported (records 5)",
    async (client, message) => {
      const alice = await (await startApi(role)).as("alice");
      const id = await givenDraft(alice);
      const doi = { identifier: "10.1234/x", provider: "external" };
      const saved = await alice.put(`/api/records/${id}/draft`, { ...published, pids: { doi: { ...doi, client } } });
      expect(saved.status).toBe(200);
      expect(saved.body.errors).toEqual([{ field: "pids.doi.client", messages: [message] }]);
      expect(saved.body.pids).toEqual({ doi });
    },
  );

  test("pids: {} frees a reserved DOI (records 5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    await alice.post(`/api/records/${id}/draft/pids/doi`);
    const emptied = await alice.put(`/api/records/${id}/draft`, { ...withoutFiles, pids: {} });
    expect(emptied.body.pids).toEqual({});
    expect((await alice.post(`/api/records/${id}/draft/pids/doi`)).status).toBe(201);
  });

  test("discarding an edit frees the DOI that was reserved for it (fault 2, records 5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice, published);
    const path = `/api/records/${id}/draft/pids/doi`;
    for (let round = 0; round < 3; round++) {
      await alice.post(`/api/records/${id}/draft`);
      expect((await alice.post(path)).body.pids.doi.identifier).toBe(`10.5072/${id}`);
      expect((await alice.delete(`/api/records/${id}/draft`)).status).toBe(204);
      expect((await alice.get(`/api/records/${id}`)).body.pids).toEqual({});
    }
    await alice.post(`/api/records/${id}/draft`);
    await alice.post(path);
    await publish(alice, id);
    expect((await alice.get(`/api/records/${id}`)).body.pids.doi.identifier).toBe(`10.5072/${id}`);
  });

  test("a DOI reserved in an edit and given back leaves the record's external DOI taken (fault 2, records 5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice, external("10.1234/kept"));
    const path = `/api/records/${id}/draft/pids/doi`;
    const giveBack = [
      () => alice.delete(path),
      () => alice.put(`/api/records/${id}/draft`, { ...published, pids: {} }),
      () => alice.delete(`/api/records/${id}/draft`),
    ];
    for (const one of giveBack) {
      await alice.post(`/api/records/${id}/draft`);
      await alice.put(`/api/records/${id}/draft`, { ...published, pids: {} });
      expect((await alice.post(path)).status).toBe(201);
      expect((await one()).status).toBeLessThan(300);
      const second = await alice.post("/api/records", external("10.1234/kept"));
      expect(second.body.errors).toEqual([{ field: "pids.doi", messages: ["doi:10.1234/kept already exists."] }]);
    }
  });

  test("a DOI reserved for another draft is refused for its prefix and because it is taken (fault 4, records 5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    // A replica knows only its own user's reservations; the server checks others at the push (hosts-and-sync 8).
    const others = role === "server" ? [alice, await api.as("bob")] : [alice, await api.onServer("bob")];
    const edited = await givenRecord(alice, published);
    await alice.post(`/api/records/${edited}/draft`);
    for (const id of [await givenDraft(alice), edited]) {
      await alice.post(`/api/records/${id}/draft/pids/doi`);
      for (const identifier of [`10.5072/${id}`, `10.5072/${id.toUpperCase()}`]) {
        const errors = [
          { field: "pids.doi", messages: [expect.stringMatching(/^The prefix '10.5072' is managed by/)] },
          { field: "pids.doi", messages: [`doi:${identifier} already exists.`] },
        ];
        for (const other of others) {
          const created = await other.post("/api/records", external(`https://doi.org/${identifier}`));
          expect(created.body.errors).toEqual(errors);
          const draft = `/api/records/${created.body.id}/draft`;
          expect((await other.put(draft, external(identifier))).body.errors).toEqual(errors);
          expect(await other.post(`${draft}/actions/publish`)).toMatchObject({ status: 400, body: { errors } });
        }
      }
    }
  });

  test.each([
    ["10.1234/foo", undefined, "10.1234/foo"],
    ["https://doi.org/10.1234/foo", undefined, "10.1234/foo"],
    ["https://doi.org/10.5281%2Fzenodo.123", undefined, "10.5281/zenodo.123"],
    ["nonsense", "Invalid DOI", "nonsense"],
    ["", "Missing DOI for required field.", ""],
    ["10.5072/mine", "The prefix '10.5072' is managed by", "10.5072/mine"],
  ])("an external DOI %j (records 5)", async (identifier, message, stored) => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const { status, body } = await alice.post("/api/records", external(identifier));
    expect(status).toBe(201);
    if (message) {
      expect(body.errors).toEqual([{ field: "pids.doi", messages: [expect.stringContaining(message)] }]);
      expect((await alice.post(`/api/records/${body.id}/draft/actions/publish`)).status).toBe(400);
    } else expect(body).not.toHaveProperty("errors");
    expect(body.pids.doi.identifier).toBe(stored);
    expect((await alice.put(`/api/records/${body.id}/draft`, withoutFiles)).body.pids).toEqual({});
  });

  test("two drafts may hold one external DOI; the first publish wins (records 5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const first = await givenDraft(alice, external("10.1234/one"));
    const second = await givenDraft(alice, external("10.1234/one"));
    await publish(alice, first);
    const answer = await alice.post(`/api/records/${second}/draft/actions/publish`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ field: "pids.doi", messages: ["doi:10.1234/one already exists."] }]);
    await alice.post(`/api/records/${first}/draft`);
    await alice.put(`/api/records/${first}/draft`, external("10.1234/two"));
    await publish(alice, first);
    await publish(alice, second);
  });

  test("other schemes and keys (records 5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const { body } = await alice.post("/api/records", { ...withoutFiles, pids: { ark: { identifier: "x" } } });
    expect(body.errors).toEqual([{ field: "pids.ark.key", messages: ["Invalid persistent identifier scheme."] }]);
    expect(body.pids).toEqual({});
  });
});

describe("deletion on the server", () => {
  test("DELETE and restore, and what is seen between (records 4.7)", async () => {
    const api = await startApi();
    const [alice, admin] = [await api.as("alice"), await api.as("admin")];
    const id = await givenRecord(alice);
    const second = (await alice.post(`/api/records/${id}/versions`)).body.id;
    await alice.put(`/api/records/${second}/draft`, withoutFiles);
    await publish(alice, second);
    expect((await alice.delete(`/api/records/${second}/delete`)).status).toBe(403);
    expect((await admin.delete(`/api/records/${second}/delete`, { removal_reason: { id: "none" } })).status).toBe(400);
    await alice.post(`/api/records/${second}/draft`);
    const own = async () => (await alice.get(`/api/user/records?q=id:${second}`)).body.hits.total;
    expect(await own()).toBe(1);
    const body = { removal_reason: { id: "spam" }, note: "n", is_visible: true };
    expect((await admin.delete(`/api/records/${second}/delete`, body)).status).toBe(204);
    const again = await admin.delete(`/api/records/${second}/delete`);
    expect(again).toMatchObject({ status: 400, body: { message: "Record in unexpected deletion status." } });
    for (const path of ["", "/draft", "/files", "/versions", "/files-archive"]) {
      const deleted = await alice.get(`/api/records/${second}${path}`);
      expect([path, deleted.status]).toEqual([path, 410]);
      expect(deleted.body).toMatchObject({
        message: "Record deleted",
        tombstone: { removal_reason: { id: "spam" }, note: "n", removed_by: { user: await api.idOf("admin") } },
      });
    }
    expect(await own()).toBe(0);
    expect((await admin.get(`/api/records/${second}`)).status).toBe(410);
    expect((await admin.get(`/api/records/${second}?include_deleted=1`)).status).toBe(200);
    expect((await admin.get(`/api/records/${second}/files`)).status).toBe(200);
    expect((await alice.get(`/api/records/${second}?include_deleted=1`)).status).toBe(410);
    expect((await alice.get(`/api/records/${id}`)).body.versions.is_latest).toBe(true);
    expect((await alice.get(`/api/records/${id}/versions`)).body.hits.total).toBe(1);
    expect((await alice.post(`/api/records/${second}/draft`)).status).toBe(403);
    expect((await alice.post(`/api/records/${second}/versions`)).status).toBe(403);
    expect((await alice.post(`/api/records/${second}/restore`)).status).toBe(403);
    expect((await admin.post(`/api/records/${second}/restore`, {})).status).toBe(200);
    expect((await admin.post(`/api/records/${second}/restore`, {})).status).toBe(400);
    expect(await own()).toBe(1);
    expect((await alice.get(`/api/records/${id}`)).body.versions.is_latest).toBe(false);
  });

  test("with is_visible false: 404 (records 4.7)", async () => {
    const api = await startApi();
    const id = await givenRecord(await api.as("alice"));
    await (await api.as("admin")).delete(`/api/records/${id}/delete`, { is_visible: false });
    expect((await api.anonymous.get(`/api/records/${id}`)).status).toBe(404);
  });

  test("the tombstone of a restricted record tells no title or names, unless its citation was given (records 4.7)", async () => {
    const api = await startApi();
    const [alice, admin] = [await api.as("alice"), await api.as("admin")];
    const restricted = { ...withoutFiles, metadata, access: { record: "restricted", files: "restricted" } };
    for (const [body, given, shown] of [
      [restricted, undefined, ""],
      [restricted, "A withdrawn report", "A withdrawn report"],
      [{ ...withoutFiles, metadata }, undefined, expect.stringContaining(metadata.title)],
    ] as const) {
      const id = await givenRecord(alice, body);
      await admin.delete(`/api/records/${id}/delete`, { citation_text: given });
      const gone = await api.anonymous.get(`/api/records/${id}`);
      expect(gone).toMatchObject({ status: 410, body: { tombstone: { citation_text: shown } } });
    }
  });
});

test.each(roles)(
  "what stands around a deleted record is gone with it, on the %s (fault 11, records 4.7)",
  async (role) => {
    const api = await startApi(role);
    const [alice, admin, bob] = [await api.as("alice"), await api.onServer("admin"), await api.as("bob")];
    const [plain, edited] = [await givenRecord(alice), await givenRecord(alice)];
    await alice.post(`/api/records/${edited}/draft`);
    for (const id of [plain, edited]) expect((await admin.delete(`/api/records/${id}/delete`, {})).status).toBe(204);
    await api.waitForSync();
    const link = { permission: "view" };
    const receiver = { user: await api.idOf("bob") };
    const calls: [method: string, path: string, body?: object][] = [
      ["GET", "draft/review"],
      ["PUT", "draft/review", { receiver }],
      ["DELETE", "draft/review"],
      ["POST", "draft/actions/submit-review"],
      ["GET", "access/links"],
      ["POST", "access/links", link],
      ["GET", "access/grants"],
      ["GET", "access/users"],
      ["GET", "access/groups"],
      ["PUT", "access", {}],
      ["GET", "draft/files"],
      ["GET", "requests"],
      ["POST", "requests", { receiver }],
    ];
    for (const id of [plain, edited]) {
      for (const person of [alice, bob, ...(role === "server" ? [api.anonymous] : [])]) {
        for (const [method, path, body] of calls) {
          const { status, body: result } = await person.call(method, `/api/records/${id}/${path}`, body);
          const hasTombstone = result?.tombstone?.removed_by !== undefined;
          expect([method, path, id === edited, status, hasTombstone]).toEqual([method, path, id === edited, 410, true]);
        }
      }
    }
  },
);
