import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenDraft, givenRecord, withoutFiles } from "../support/records.ts";

const restricted = { ...withoutFiles, access: { record: "restricted", files: "restricted" } };

describe.each(roles)("access links on the %s", (role) => {
  test("create, read, change, delete (records 7.2)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const path = `/api/records/${await givenDraft(alice)}/access/links`;
    const created = await alice.post(path, { permission: "view", expires_at: "2999-01-02" });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/\+00:00$/),
      expires_at: "2999-01-02",
      permission: "view",
      description: "",
      token: expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/),
    });
    const { id, token } = created.body;
    expect((await alice.get(path)).body).toMatchObject({ hits: { hits: [{ id, token }], total: 1 } });
    const changed = await alice.patch(`${path}/${id}`, {
      permission: "edit",
      expires_at: "2998-01-01",
      description: "D",
    });
    expect(changed.body).toMatchObject({ id, token, permission: "edit", expires_at: "2998-01-01", description: "D" });
    expect((await alice.put(`${path}/${id}`, { permission: "view" })).status).toBe(405);
    expect((await alice.delete(`${path}/${id}`)).status).toBe(204);
    const deleted = await alice.get(`${path}/${id}`);
    expect(deleted).toMatchObject({ status: 404, body: { message: "No secret link found with the given ID." } });
  });

  test.each([
    [{}, "permission", "Missing data for required field."],
    [{ permission: "manage" }, "permission", "Must be one of: view, preview, edit."],
    [{ permission: "view", expires_at: "soon" }, "expires_at", "Not a valid date."],
    [{ permission: "view", expires_at: "" }, "expires_at", "Not a valid date."],
    [{ permission: "view", expires_at: "2020-01-01" }, "expires_at", "Expiration date must be set to the future"],
  ])("POST %j is 400 (records 7.2)", async (body, field, message) => {
    const alice = await (await startApi(role)).as("alice");
    const answer = await alice.post(`/api/records/${await givenDraft(alice)}/access/links`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ field, messages: [message] }]);
  });

  test("an expiry is never postponed or removed (records 7.2)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const path = `/api/records/${await givenDraft(alice)}/access/links`;
    const { id } = (await alice.post(path, { permission: "view", expires_at: "2900-01-01" })).body;
    for (const expires_at of ["2900-01-02", null]) {
      const answer = await alice.patch(`${path}/${id}`, { permission: "view", expires_at });
      expect(answer.body.errors).toEqual([{ field: "expires_at", messages: ["Cannot postpone expiration of links"] }]);
    }
    expect((await alice.patch(`${path}/${id}`, {})).body.errors[0].field).toBe("permission");
    expect((await alice.patch(`${path}/${id}`, { permission: "preview" })).body.expires_at).toBe("2900-01-01");
  });

  test("grants: list, position, by subject (records 7.3)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const bob = await api.idOf("bob");
    const base = `/api/records/${await givenRecord(alice, restricted)}/access`;
    const subject = { type: "user", id: bob };
    const created = await alice.post(`${base}/grants`, { grants: [{ permission: "view", subject }] });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ hits: { hits: [{ permission: "view", subject }], total: 1 } });
    const again = await alice.post(`${base}/grants`, { grants: [{ permission: "edit", subject }] });
    expect(again.body.message).toBe("Grant for this user/role already exists within this record.");
    expect((await alice.get(`${base}/grants/0`)).body).toMatchObject({ permission: "view" });
    expect((await alice.get(`${base}/grants/1`)).body.message).toBe("No grant found with the given ID.");
    expect((await alice.patch(`${base}/users/${bob}`, { permission: "preview" })).body.permission).toBe("preview");
    expect((await alice.get(`${base}/users`)).body.hits.total).toBe(1);
    expect((await alice.get(`${base}/groups`)).body.hits.total).toBe(0);
    expect((await alice.get(`${base}/groups/x`)).body.message).toBe("No grant found by given group id.");
    expect((await alice.delete(`${base}/users/${bob}`)).status).toBe(204);
    expect((await alice.get(`${base}/users/${bob}`)).body.message).toBe("No grant found by given user id.");
  });
});

describe("restricted records on the server", () => {
  test("what a token of each level opens (records 7.2)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenRecord(alice, restricted);
    await alice.post(`/api/records/${id}/draft`);
    const token = async (permission: string) =>
      (await alice.post(`/api/records/${id}/access/links`, { permission })).body.token;
    const tokens = {
      none: "wrong",
      view: await token("view"),
      preview: await token("preview"),
      edit: await token("edit"),
    };
    const statuses = async (level: keyof typeof tokens) => [
      (await api.anonymous.get(`/api/records/${id}?token=${tokens[level]}`)).status,
      (await api.anonymous.get(`/api/records/${id}/draft?token=${tokens[level]}`)).status,
      (await api.anonymous.put(`/api/records/${id}/draft?token=${tokens[level]}`, restricted)).status,
      (await api.anonymous.get(`/api/records/${id}/access/links?token=${tokens[level]}`)).status,
    ];
    expect(await statuses("none")).toEqual([403, 403, 403, 403]);
    expect(await statuses("view")).toEqual([200, 403, 403, 403]);
    expect(await statuses("preview")).toEqual([200, 200, 403, 403]);
    expect(await statuses("edit")).toEqual([200, 200, 200, 403]);
  });

  test.each(roles)(
    "a token may be combined with a person; permissions add up, on the %s (records 1.2)",
    async (role) => {
      const api = await startApi(role);
      const [alice, bob] = [await api.as("alice"), await api.as("bob")];
      const id = await givenRecord(alice, { ...withoutFiles, access: { record: "public", files: "restricted" } });
      const path = `/api/records/${id}`;
      expect((await bob.get(path)).status, "from now on a replica holds it").toBe(200);
      await alice.post(`${path}/draft`);
      const opened: Record<string, number[]> = {};
      for (const permission of ["view", "preview", "edit"]) {
        const token = `?token=${(await alice.post(`${path}/access/links`, { permission })).body.token}`;
        await api.waitForSync();
        opened[permission] = [
          (await bob.get(`${path}/files${token}`)).status,
          (await bob.get(`${path}/draft${token}`)).status,
          (await bob.put(`${path}/draft${token}`, withoutFiles)).status,
          (await bob.get(`${path}/access/links${token}`)).status,
        ];
      }
      expect(opened).toEqual({
        view: [200, 403, 403, 403],
        preview: [200, 200, 403, 403],
        edit: [200, 200, 200, 403],
      });
      expect((await bob.get(`${path}/files?token=wrong`)).status).toBe(403);
    },
  );

  test("1–100 grants, secret_link_expiration 0–365; sizes are refused in the contract's words (records 7.3)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const access = `/api/records/${await givenRecord(alice)}/access`;
    const grant = { permission: "view", subject: { type: "user", id: "1" } };
    for (const [method, path, body, field, message] of [
      ["POST", `${access}/grants`, { grants: [] }, "grants", "Shorter than minimum length 1."],
      ["POST", `${access}/grants`, { grants: Array(101).fill(grant) }, "grants", "Longer than maximum length 100."],
      ["PUT", access, { secret_link_expiration: 366 }, "secret_link_expiration", "Must be less than or equal to 365."],
      ["PUT", access, { secret_link_expiration: -1 }, "secret_link_expiration", "Must be greater than or equal to 0."],
    ] as const) {
      const refused = { status: 400, body: { errors: [{ field, messages: [message] }] } };
      expect.soft(await alice.call(method, path, body)).toMatchObject(refused);
    }
  });

  test("parent.access.links and grants are for who manages (records 3.5)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    const link = (await alice.post(`/api/records/${id}/access/links`, { permission: "view" })).body;
    expect((await alice.get(`/api/records/${id}`)).body.parent.access).toMatchObject({
      links: [{ id: link.id }],
      grants: [],
    });
    const { access } = (await api.anonymous.get(`/api/records/${id}`)).body.parent;
    expect(access.links).toEqual([]);
    expect(access).not.toHaveProperty("grants");
  });

  test("record restricted forces files restricted; status words (records 7.1)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const status = async (access: object, files = { enabled: false }) =>
      (await alice.post("/api/records", { ...withoutFiles, files, access })).body.access;
    expect(await status({ record: "restricted", files: "public" })).toMatchObject({
      files: "restricted",
      status: "restricted",
    });
    expect(await status({ record: "public", files: "public" })).toMatchObject({ status: "metadata-only" });
    expect(await status({ record: "public", files: "public" }, { enabled: true })).toMatchObject({ status: "open" });
    const embargo = { active: true, until: "2999-01-01", reason: "patent" };
    expect(await status({ record: "public", files: "restricted", embargo })).toMatchObject({
      status: "embargoed",
      embargo,
    });
  });

  test("public → restricted is refused once the days for it have passed (records 7.1)", async () => {
    const api = await startApi("server", { settings: { restrict_within_days: 0 } });
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    await alice.post(`/api/records/${id}/draft`);
    const answer = await alice.put(`/api/records/${id}/draft`, restricted);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ field: "access.record" }]);
    const files = { record: "public", files: "restricted" };
    expect((await alice.put(`/api/records/${id}/draft`, { ...withoutFiles, access: files })).status).toBe(200);
  });

  test("an embargo that cannot be: saved with an error, not published (records 7.1)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const embargo = { active: true, until: "2020-01-01", reason: null };
    const access = { record: "public", files: "restricted", embargo };
    const draft = await alice.post("/api/records", { ...withoutFiles, access });
    const error = { field: "access.embargo.until", messages: ["Embargo end date must be set to a future date."] };
    expect(draft.status).toBe(201);
    expect(draft.body.errors).toEqual([error]);
    const answer = await alice.post(`/api/records/${draft.body.id}/draft/actions/publish`);
    expect(answer.body.errors).toEqual([error]);
  });

  test("an embargo ends on time, at the latest when the record is read (records 7.1)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const embargo = { active: true, until: "2999-01-01", reason: "patent" };
    const access = { record: "restricted", files: "restricted", embargo };
    const id = await givenRecord(alice, { ...withoutFiles, access });
    expect((await api.anonymous.get(`/api/records/${id}`)).status).toBe(403);
    await alice.post(`/api/records/${id}/draft`);
    const { db } = api.server.host;
    const past = JSON.stringify({ ...access, embargo: { ...embargo, until: "2020-01-01" } });
    await db.updateTable("record").set({ access: past }).where("id", "=", id).execute();
    await db.updateTable("draft").set({ access: past }).where("id", "=", id).execute();
    const read = await api.anonymous.get(`/api/records/${id}`);
    expect(read.body.access).toMatchObject({
      record: "public",
      files: "public",
      embargo: { active: false, until: "2020-01-01", reason: "patent" },
    });
    expect((await alice.get(`/api/records/${id}/draft`)).body.access.record).toBe("public");
  });

  test("on a replica an embargo ends when the server says so, whatever the clock here says (hosts-and-sync 8)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const embargo = { active: true, until: "2999-01-01", reason: "patent" };
    const access = { record: "restricted", files: "restricted", embargo };
    const id = await givenRecord(alice, { ...withoutFiles, access });
    const { db } = (await api.replicaOf("alice")).host;
    const past = JSON.stringify({ ...access, embargo: { ...embargo, until: "2020-01-01" } });
    await db.updateTable("record").set({ access: past }).where("id", "=", id).execute();
    const shown = (await alice.get(`/api/records/${id}`)).body.access;
    expect(shown).toMatchObject({ record: "restricted", status: "embargoed", embargo: { active: true } });
  });
});

test("no path reaches what was kept for another caller: separators in an id are part of the id (security 2)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const admin = await api.as("admin");
  const id = await givenRecord(alice, restricted);
  const [aliceId, adminId] = [await api.idOf("alice"), await api.idOf("admin")];
  const paths = [`${aliceId}|`, `${adminId}|superuser-access`].flatMap((caller) =>
    ["|", ",", ":", "/", " ", "\n", "\0"].map((separator) => {
      return `/api/records/${encodeURIComponent([id, ...caller.split("|")].join(separator))}`;
    }),
  );
  for (const path of paths) {
    for (const reader of [alice, admin]) expect((await reader.get(`/api/records/${id}`)).status).toBe(200);
    for (const stranger of [api.anonymous, await api.as("bob")]) {
      expect(await stranger.get(path), path).toMatchObject({ status: 404 });
      expect(await stranger.get(`/api/records/${id}`)).toMatchObject({ status: 403 });
    }
  }
});

test("a record has at most 1000 links, then 400 until one is deleted (security 8)", async () => {
  const api = await startApi();
  const alice = await api.as("alice");
  const path = `/api/records/${await givenDraft(alice)}/access/links`;
  const first = (await alice.post(path, { permission: "view" })).body.id;
  const { host } = api.server;
  const row = await host.db.selectFrom("access_link").selectAll().where("id", "=", first).executeTakeFirstOrThrow();
  const others = Array.from({ length: 999 }, (_, n) => ({ ...row, id: `link ${n}`, token: `token ${n}` }));
  for (let n = 0; n < others.length; n += 100) {
    await host.db
      .insertInto("access_link")
      .values(others.slice(n, n + 100))
      .execute();
  }
  const refused = await alice.post(path, { permission: "view" });
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^There are 1000 links/) } });
  expect((await alice.delete(`${path}/${first}`)).status).toBe(204);
  expect((await alice.post(path, { permission: "view" })).status).toBe(201);
});
