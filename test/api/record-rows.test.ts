import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "../support/records.ts";

describe.each(roles)("rows of the records contract on the %s", (role) => {
  test("grants: n = position in the list, which is that in which they were sent (records 7.3)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const path = `/api/records/${await givenRecord(alice)}/access/grants`;
    const subjects = ["user:bob", "role:administration", "role:superuser-access", "user:carol", "role:admin"];
    const grants = [];
    for (const subject of subjects) {
      const [type, name = ""] = subject.split(":");
      grants.push({ permission: "view", subject: { type, id: type === "user" ? await api.idOf(name) : name } });
    }
    expect((await alice.post(path, { grants })).status).toBe(201);
    for (const [n, { subject }] of grants.entries()) {
      expect((await alice.get(`${path}/${n}`)).body.subject).toEqual(subject);
    }
  });

  test("communities and communities-suggestions of records and drafts: 200, an empty envelope (records 9)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const draft = await givenDraft(alice);
    const bodies = [
      (await alice.get(`/api/records/${draft}/draft`)).body,
      (await alice.get(`/api/records/${await givenRecord(alice)}`)).body,
    ];
    for (const { links } of bodies) {
      for (const name of ["communities", "communities-suggestions"]) {
        const { status, body } = await alice.get(links[name]);
        expect([status, body.hits, body.links.self.startsWith(links[name])]).toEqual([
          200,
          { hits: [], total: 0 },
          true,
        ]);
      }
    }
    expect((await api.anonymous.get(`/api/records/${draft}/communities`)).status).toBe(403);
  });
});

describe("an id that a replica does not hold", () => {
  const unknown = "/api/records/4d0ns-ntd89";
  const cases: [method: string, path: string, body: string, headers: Record<string, string>, status: number][] = [
    ["PUT", "", "{}", {}, 405],
    ["DELETE", "", "", {}, 405],
    ["PATCH", "/draft", "{}", {}, 405],
    ["PUT", "/draft", "text", { "content-type": "text/plain" }, 415],
    ["PUT", "/draft", "{", {}, 400],
    ["GET", "", "", { accept: "image/png" }, 406],
    ["PUT", "/draft", "{}", {}, 404],
    ["GET", "", "", {}, 404],
  ];

  test("order of checks: method, type, Accept, syntax, then whether it exists (records 1.1)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    for (const [method, path, body, headers, status] of cases) {
      const sent = body === "" ? undefined : body;
      const answer = await alice.call(method, unknown + path, sent, {
        headers: { ...(sent ? { "content-type": "application/json" } : {}), ...headers },
      });
      expect([method, path, body, answer.status]).toEqual([method, path, body, status]);
    }
    const foreign = await (await api.as("bob")).post("/api/records", {});
    const missing = await alice.delete(`/api/records/${foreign.body.id}/draft/files/nowhere`);
    expect([missing.status, missing.body.message], "a missing file, also for who would be refused").toEqual([
      404,
      `Record '${foreign.body.id}' has no file 'nowhere'.`,
    ]);
    expect((await alice.delete(`/api/records/${foreign.body.id}/draft`)).status).toBe(403);
    const endless = await alice.get(`/api/records/${"x".repeat(300)}/draft`);
    expect([endless.status, endless.body.message]).toEqual([404, "The persistent identifier does not exist."]);
    await alice.post("/api/sync/pause");
    expect((await alice.put(unknown, {})).status).toBe(405);
    expect((await alice.get(unknown)).status).toBe(503);
  });

  test("the addresses of pages answer on a replica, with or without the built app (hosts-and-sync 8, Pages)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const { links } = (await alice.get(`/api/records/${await givenRecord(alice)}`)).body;
    for (const name of ["self_html", "preview_html", "latest_html", "parent_html"]) {
      const { status, headers } = await alice.get(links[name]);
      expect([name, status, headers.get("content-type")]).toEqual([name, 200, "text/html; charset=utf-8"]);
      expect(headers.get("referrer-policy"), "search-and-conventions 11").toBe("no-referrer");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    }
  });
});

test("a deleted record is 410 with its tombstone for everybody, strangers out of reach included (records 4.7)", async () => {
  const api = await startApi("replica");
  const alice = await api.as("alice");
  const admin = await api.as("admin");
  const bob = await api.as("bob");
  for (const [name, isVisible, expected] of [
    ["seen", true, { status: 410, body: { message: "Record deleted", tombstone: { note: "seen" } } }],
    ["hidden", false, { status: 403, body: { message: "Permission denied." } }],
  ] as const) {
    const path = `/api/records/${await givenRecord(alice, { ...withoutFiles, metadata: { ...metadata, title: "Soon gone" } })}`;
    expect((await bob.get(path)).status).toBe(200);
    await admin.call("DELETE", `${path}/delete`, { note: name, is_visible: isVisible });
    await api.settle();
    await bob.post("/api/sync/pause");
    expect.soft(await bob.get(path), name).toMatchObject(expected);
    expect.soft(await bob.get(`${path}/files`), `files, ${name}`).toMatchObject(expected);
    expect.soft((await bob.post(`${path}/versions`)).status, `versions, ${name}`).toBe(403);
    expect.soft((await bob.get("/api/records?q=gone")).body.hits.total, `search, ${name}`).toBe(0);
    await bob.post("/api/sync/resume");
    await admin.post(`${path}/restore`, {});
    await api.settle();
    expect.soft((await bob.get(path)).body.metadata, `restored, ${name}`).toMatchObject({ title: "Soon gone" });
    await admin.call("DELETE", `${path}/delete`);
  }
});
