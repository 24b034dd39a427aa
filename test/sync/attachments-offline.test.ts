import { describe, expect, test } from "vitest";
import { largestAttachment } from "../../shared/comments/comment.schema.ts";
import { startApi } from "../support/api.ts";
import { comment, givenSubmitted } from "../support/reviews.ts";
import { pause, replicaOf, resume, trayOf } from "../support/two-replicas.ts";

/** A conversation, and the reviewer's replica. */
async function givenReviewer(settings: object = {}) {
  const api = await startApi("server", { settings });
  const { request } = await givenSubmitted(api, "ada", "bob");
  const bob = await replicaOf(api, "bob");
  const files = `/api/requests/${request}/files`;
  const attach = (name: string, bytes: string | Uint8Array) => bob.putBytes(`${files}/upload/${name}`, bytes);
  const say = (words: string, ...ids: string[]) =>
    bob.post(`/api/requests/${request}/comments`, comment(words, { files: ids.map((file_id) => ({ file_id })) }));
  return { api, ada: await api.as("ada"), bob, request, files, attach, say };
}

const keyOf = (body: { key: string }): string => encodeURIComponent(body.key);

describe("files in comments offline (app M16)", () => {
  test("files wait with their bytes, can be opened, and arrive before their comment, under the same id and key", async () => {
    const { ada, bob, request, files, attach, say } = await givenReviewer();
    await pause(bob);
    const file = await attach("core log.csv", "a,b\n");
    expect(file.status, file.text).toBe(200);
    expect((await say("See the log", file.body.id)).status).toBe(201);
    expect(await bob.get(`${files}/${keyOf(file.body)}/content`)).toMatchObject({ status: 200, text: "a,b\n" });
    const { hits } = (await bob.get("/api/sync/operations")).body.hits;
    expect(hits.map(({ kind }: { kind: string }) => kind)).toEqual(["attachment.create", "comment.create"]);
    await resume(bob);
    expect(await ada.get(`${files}/${keyOf(file.body)}/content`)).toMatchObject({ status: 200, text: "a,b\n" });
    const { body } = await ada.get(`/api/requests/${request}/timeline?expand=1`);
    expect(body.hits.hits).toMatchObject(
      [
        { payload: { content: "See the log", files: [{ file_id: file.body.id }] }, expanded: { files: [file.body] } },
      ].map(({ payload }) => ({ payload })),
    );
    expect(body.hits.total).toBe(1);
  });

  test("a file removed before it was sent never leaves this computer", async () => {
    const { api, bob, files, attach, say } = await givenReviewer();
    await pause(bob);
    const wrong = await attach("wrong.csv", "secret");
    expect((await bob.delete(`${files}/${keyOf(wrong.body)}`)).status).toBe(204);
    await say("Nothing attached");
    await resume(bob);
    const { db } = api.server.host;
    expect(await db.selectFrom("event_file").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("blob").selectAll().execute()).toEqual([]);
    expect(await trayOf(bob)).toEqual([]);
  });

  test("a file over the limit is refused at once; what the server refuses is in the tray in words, with the comment", async () => {
    const { bob, attach, say, ada } = await givenReviewer({ user_quota_bytes: 1000 });
    await pause(bob);
    expect((await attach("big.bin", new Uint8Array(largestAttachment + 1))).body.message).toBe(
      "File size exceeds limit",
    );
    const file = await attach("map.tif", new Uint8Array(2000).fill(7));
    await say("See the map", file.body.id);
    await say("And read the text");
    await resume(bob);
    const tray = await trayOf(bob);
    expect(tray).toHaveLength(2);
    const [left, file0] = [...tray].sort((a, b) => b.kind.localeCompare(a.kind));
    expect(file0).toMatchObject({
      ...{ kind: "attachment.create", reason: expect.stringMatching(/quota/) },
    });
    expect(left).toMatchObject({ kind: "comment.create", reason: expect.stringMatching(/file is not attached/) });
    const said = (await ada.get("/api/requests")).body.hits.hits[0].last_reply.payload.content;
    expect(said, "other comments do not wait").toBe("And read the text");
    expect((await bob.post(`/api/sync/tray/${left.id}/copy`)).body.content).toBe("See the map");
  });
});
