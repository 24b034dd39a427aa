import { describe, expect, test } from "vitest";
import { encodeChange, inputOf } from "../../shared/documents/merge.ts";
import { anonymous, type Caller } from "../../shared/kernel/caller.ts";
import { type Api, startApi } from "../support/api.ts";
import { givenDraft, givenRecord, metadata, publish, withoutFiles } from "../support/records.ts";

describe("ids that moved, on the server", () => {
  test("GET and HEAD 301, other methods 308 (hosts-and-sync 3)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const parent_id = (await alice.get(`/api/records/${id}/draft`)).body.parent.id;
    const alias = { old_id: "00000-00098", new_id: id, parent_id };
    await api.server.host.db.insertInto("alias").values(alias).execute();
    const read = await alice.get("/api/records/00000-00098/draft?expand=1");
    expect(read.status).toBe(301);
    expect(read.headers.get("location")).toBe(`${api.server.url}/api/records/${id}/draft?expand=1`);
    expect((await alice.head("/api/records/00000-00098/draft")).status).toBe(301);
    for (const method of ["PUT", "POST", "DELETE"]) {
      expect((await alice.call(method, "/api/records/00000-00098/draft")).status).toBe(308);
    }
  });
});

describe("edits that arrive late, on the server", () => {
  /** An edit of the title by a user who was offline. */
  async function editOf(api: Api, id: string, title: string) {
    const { db } = api.server.host;
    const document = await db.selectFrom("document").selectAll().where("draft_id", "=", id).executeTakeFirstOrThrow();
    const input = inputOf(document.state);
    const next = { ...input, metadata: { ...input.metadata, publisher: title } };
    const { update, changes } = encodeChange(document.state, next, 7);
    return { id, epoch: document.epoch, update: Buffer.from(update ?? []).toString("base64"), changes };
  }
  const callerOf = async (api: Api, name: string): Promise<Caller> => ({
    ...anonymous,
    userId: await api.idOf(name),
    via: "token",
  });

  test("published elsewhere: the edit lives on as an edit draft (hosts-and-sync 4)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const edit = await editOf(api, id, "Press");
    await publish(alice, id);
    await api.server.services.edits.edit(await callerOf(api, "alice"), edit);
    expect((await alice.get(`/api/records/${id}`)).body.metadata).not.toHaveProperty("publisher");
    expect((await alice.get(`/api/records/${id}/draft`)).body).toMatchObject({
      is_published: false,
      metadata: { publisher: "Press", title: metadata.title },
    });
  });

  test("discarded elsewhere: refused, nothing comes back (hosts-and-sync 4)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    await alice.post(`/api/records/${id}/draft`);
    const edit = await editOf(api, id, "Press");
    await alice.delete(`/api/records/${id}/draft`);
    const work = api.server.services.edits.edit(await callerOf(api, "alice"), edit);
    await expect(work).rejects.toMatchObject({ kind: "not_found" });
    expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(404);
  });

  test("one scalar, two values: the first stays, the other is kept as a conflict (hosts-and-sync 4)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const late = await editOf(api, id, "Late");
    await alice.put(`/api/records/${id}/draft`, { ...withoutFiles, metadata: { ...metadata, publisher: "First" } });
    await api.server.services.edits.edit(await callerOf(api, "alice"), late);
    expect((await alice.get(`/api/records/${id}/draft`)).body.metadata.publisher).toBe("First");
    const conflicts = await api.server.host.db.selectFrom("conflict").selectAll().execute();
    const alicesId = await api.idOf("alice");
    expect(conflicts).toMatchObject([
      { path: "metadata.publisher", mine: '"Late"', theirs: '"First"', user_id: alicesId, theirs_by: alicesId },
    ]);
  });
});
