import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "../support/records.ts";
import { until } from "../support/until.ts";

const merging = (revision: number, wish = "handling=merge") => ({
  headers: { "if-match": `"${revision}"`, prefer: wish },
});

/** A draft that two users have read and one has saved since. */
async function givenOutdated(client: HttpClient, changed: object) {
  const id = await givenDraft(client, { ...withoutFiles, metadata: { ...metadata, description: "One. Two. Three." } });
  const path = `/api/records/${id}/draft`;
  const { body: read } = await client.get(path);
  const saved = await client.put(path, { ...read, metadata: { ...read.metadata, ...changed } });
  expect(saved.body.revision_id).toBeGreaterThan(read.revision_id);
  return { path, read };
}

describe("Prefer: handling=merge on PUT draft (hosts-and-sync 4, 6)", () => {
  test("a body based on an earlier revision is merged: 200, ETag, merged, Preference-Applied", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const { path, read } = await givenOutdated(alice, { publisher: "Press", description: "One! Two. Three." });
    const mine = { ...read, metadata: { ...read.metadata, title: "Another title", description: "One. Two. Three?" } };
    const answer = await alice.put(path, mine, merging(read.revision_id));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("preference-applied")).toBe("handling=merge");
    expect(answer.headers.get("etag")).toBe(`"${answer.body.revision_id}"`);
    expect(answer.body.merged.sort()).toEqual(["metadata.description", "metadata.publisher"]);
    expect(answer.body.metadata).toMatchObject({
      title: "Another title",
      publisher: "Press",
      description: "One! Two. Three?",
    });
    expect((await alice.get(path)).body).not.toHaveProperty("merged");
  });

  test("the same scalar changed twice: what stands stays, the other is kept as a conflict (hosts-and-sync 4)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const { path, read } = await givenOutdated(alice, { publisher: "First" });
    const mine = { ...read, metadata: { ...read.metadata, publisher: "Second" } };
    const answer = await alice.put(path, mine, merging(read.revision_id));
    expect(answer.body.metadata.publisher).toBe("First");
    const conflicts = await api.server.host.db.selectFrom("conflict").selectAll().execute();
    expect(conflicts).toMatchObject([{ path: "metadata.publisher", mine: '"Second"' }]);
  });

  test("a save that does not know of the last one of its editor: 412 by every process, before and after others (web 5)", async () => {
    const alice = await (await startApi("server")).as("alice");
    const id = await givenDraft(alice);
    const titled = (title: string) => ({ ...withoutFiles, metadata: { ...metadata, title } });
    const save = (title: string, editor: string, revision: number) =>
      alice.put(`/api/records/${id}/draft`, titled(title), {
        headers: { "if-match": `"${revision}"`, prefer: "handling=merge", "draft-editor": editor },
      });
    const shown = (await alice.get(`/api/records/${id}/draft`)).body.revision_id;
    const first = await save("Salt", "one", shown);
    expect(first.status).toBe(200);
    // By turns, so that another process than the first one's is asked in one of them.
    for (let call = 0; call < 2; call++) expect((await save("Salt.", "one", shown)).status).toBe(412);
    expect((await save("Silt", "two", shown)).status).toBe(200);
    for (let call = 0; call < 2; call++) expect((await save("Salt.", "one", shown)).status).toBe(412);
    expect((await save("Salts", "one", first.body.revision_id)).status).toBe(200);
  });

  test("nothing to merge with: 412 when the revision is not known, as ever when it is current", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const { path, read } = await givenOutdated(alice, { publisher: "Press" });
    const now = (await alice.get(path)).body;
    expect((await alice.put(path, read, merging(99))).status).toBe(412);
    expect((await alice.put(path, read, merging(read.revision_id, "return=minimal"))).status).toBe(412);
    const current = await alice.put(path, now, merging(now.revision_id, 'return=representation, Handling="merge"'));
    expect(current.status).toBe(200);
    expect(current.headers.get("preference-applied")).toBeNull();
    expect(current.body.revision_id).toBe(now.revision_id);
  });
});

describe("Prefer: handling=merge on a replica, whose revisions are provisional (hosts-and-sync 3, 4)", () => {
  /** The replica has the server's change; the caller has not read the draft since. */
  async function givenChangedThere(changed: object) {
    const api = await startApi("replica");
    const [alice, onServer] = [await api.as("alice"), await api.onServer("alice")];
    const id = await givenDraft(alice, withoutFiles);
    const path = `/api/records/${id}/draft`;
    const { body: read } = await alice.get(path);
    await onServer.put(path, { ...read, metadata: { ...read.metadata, ...changed } });
    return { api, alice, path, read };
  }

  test("merged with what came from the server since the body was shown; one value set on both sides is kept as a conflict", async () => {
    const { api, alice, path, read } = await givenChangedThere({ publisher: "There", version: "2" });
    const mine = { ...read, metadata: { ...read.metadata, publisher: "Here", title: "Another title" } };
    const answer = await alice.put(path, mine, merging(read.revision_id));
    expect(answer.status).toBe(200);
    expect(answer.body.merged.sort()).toEqual(["metadata.publisher", "metadata.version"]);
    await until(async () => (await alice.get("/api/sync/conflicts")).body.hits.total === 1, "a conflict");
    const { body } = await alice.get("/api/sync/conflicts");
    expect(body.hits.hits).toMatchObject([{ path: "metadata.publisher", mine: "Here", theirs: "There" }]);
    const expected = { publisher: "There", version: "2", title: "Another title" };
    await until(async () => (await alice.get(path)).body.metadata.publisher === "There", "what stands");
    for (const client of [alice, await api.onServer("alice")]) {
      expect((await client.get(path)).body.metadata).toMatchObject(expected);
    }
  });

  test("a save that names the state it was shown is merged with all that came since, whatever its number (Draft-State)", async () => {
    const { alice, path, read } = await givenChangedThere({});
    const shown = await alice.get(path);
    const state = shown.headers.get("draft-state") ?? "";
    const put = (title: string, name: string, revision: number) => {
      const { headers } = merging(revision);
      return alice.put(
        path,
        { ...read, metadata: { ...read.metadata, title } },
        { headers: { ...headers, "draft-state": name } },
      );
    };
    const { title } = read.metadata;
    const first = await put(`${title} one`, state, read.revision_id);
    expect(first.body.metadata.title).toBe(`${title} one`);
    expect(first.body).not.toHaveProperty("merged");
    // Its revision number equals the current one, so it would remove values that it does not have.
    const second = await put(`Two ${title}`, state, first.body.revision_id);
    expect(second.body.metadata.title).toBe(`Two ${title} one`);
    expect(second.body.merged).toEqual(["metadata.title"]);
    const third = await put(`Two ${title} one!`, second.headers.get("draft-state") ?? "", second.body.revision_id);
    expect(third.body.metadata.title).toBe(`Two ${title} one!`);
    expect((await put("x", "unknown", third.body.revision_id)).status).toBe(412);
  });

  test("nothing to merge with: 412 when that revision was never shown here", async () => {
    const { alice, path, read } = await givenChangedThere({ publisher: "There" });
    expect((await alice.put(path, read, merging(99))).status).toBe(412);
    expect((await alice.put(path, read, merging(read.revision_id, "return=minimal"))).status).toBe(412);
  });
});

describe.each(roles)("expand=1 on the %s (records 1.3)", (role) => {
  test("adds expanded with the owner to records, drafts and hits; never an error", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    const owner = { id: await api.idOf("alice"), username: "alice", profile: { full_name: "Alice Example" } };
    const expanded = { parent: { access: { owned_by: owner } } };
    await alice.post(`/api/records/${id}/draft`);
    for (const path of [`/${id}`, `/${id}/draft`, `/${id}/versions/latest`]) {
      expect((await alice.get(`/api/records${path}?expand=1`)).body).toMatchObject({ id, expanded });
      expect((await alice.get(`/api/records${path}?expand=0`)).body).not.toHaveProperty("expanded");
    }
    for (const path of ["/api/records", "/api/user/records", `/api/records/${id}/versions`]) {
      expect((await alice.get(`${path}?expand=true`)).body.hits.hits[0]).toMatchObject({ id, expanded });
    }
    expect((await alice.get(`/api/records/${id}?expand=never&expand=1`)).status).toBe(200);
    const put = await alice.put(`/api/records/${id}/draft?expand=1`, withoutFiles);
    expect(put.body).toMatchObject({ expanded });
  });
});

test("a person who is not public is a ghost to others (requests 12)", async () => {
  const api = await startApi();
  const alice = await api.as("alice");
  const id = await givenRecord(alice);
  await api.server.host.db.updateTable("user").set({ visibility: "restricted" }).execute();
  const { body } = await api.anonymous.get(`/api/records/${id}?expand=1`);
  expect(body.expanded.parent.access.owned_by).toEqual({ id: await api.idOf("alice"), is_ghost: true });
});
