import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenDraft, givenRecord } from "../support/records.ts";

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
