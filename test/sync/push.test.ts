import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { comment, givenComment, givenSubmitted, linesOf } from "../support/reviews.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const digest = (algorithm: "sha256" | "md5", bytes: string): string =>
  createHash(algorithm).update(bytes).digest("hex");

async function push(client: HttpClient, kind: string, payload: unknown) {
  const operation = { id: randomUUID(), kind, version: 1, payload };
  return must(await client.post("/api/sync/push", { operations: [operation] }), 200).body.outcomes[0];
}

/** A draft with an entry whose bytes have arrived, and the true command that would commit it. */
async function givenUploaded(client: HttpClient, bytes: string) {
  const draftId = await givenDraft(client);
  must(await client.post(filesOf(draftId), [{ key: "core.txt" }]), 201);
  must(await client.putBytes(`${fileOf(draftId, "core.txt")}/content`, bytes), 200);
  const { db } = api.server.host;
  const entry = await db
    .selectFrom("file_entry")
    .select("id")
    .where("owner_id", "=", draftId)
    .executeTakeFirstOrThrow();
  const facts = { sha256: digest("sha256", bytes), md5: digest("md5", bytes), size: bytes.length };
  const ids = { draftId, entryId: entry.id, key: "core.txt", fileId: randomUUID(), versionId: randomUUID() };
  return { draftId, command: { ...ids, ...facts }, facts };
}

describe("pushed operations (hosts-and-sync 6, Push)", () => {
  test.each([
    ["a size that is too small", { size: 1 }],
    ["a size beyond all limits", { size: 2 ** 50 }],
    ["a false md5", { md5: "0".repeat(32) }],
    ["both", { size: 0, md5: digest("md5", "") }],
  ])("%s of a commit is not believed: the server goes by its own bytes (records 6.4)", async (_what, claim) => {
    const alice = await api.as("alice");
    const { draftId, command, facts } = await givenUploaded(alice, "what was measured");
    expect(await push(alice, "file.commit", { ...command, ...claim })).toMatchObject({ outcome: "applied" });
    const file = await alice.get(fileOf(draftId, "core.txt"));
    expect(file.body).toMatchObject({ status: "completed", size: facts.size, checksum: `md5:${facts.md5}` });
    const content = await alice.get(`${fileOf(draftId, "core.txt")}/content`);
    expect([content.text, content.headers.get("etag")]).toEqual(["what was measured", `"md5:${facts.md5}"`]);
  });

  test("a file commit is blocked until its sender has sent the bytes, even if another user sent them (hosts-and-sync 6, Blobs)", async () => {
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const alices = await givenUploaded(alice, "for nobody else's eyes");
    expect(await push(alice, "file.commit", alices.command)).toMatchObject({ outcome: "applied" });
    const bobs = await givenUploaded(bob, "anything");
    const outcome = await push(bob, "file.commit", { ...bobs.command, ...alices.facts });
    expect(outcome).toMatchObject({ outcome: "blocked", blobs: [alices.facts.sha256] });
    expect((await bob.get(fileOf(bobs.draftId, "core.txt"))).body.status).toBe("pending");
  });

  test.each([
    ["a comment", true],
    ["a decision that can be taken once", false],
  ])(
    "%s sent several times at once takes effect exactly once, and each is told so (hosts-and-sync 4)",
    async (_what, isComment) => {
      const [alice, bob] = [await api.as("alice"), await api.as("bob")];
      const { request } = await givenSubmitted(api, "alice", "bob");
      const ids = { logId: randomUUID(), commentId: randomUUID() };
      const payload = isComment
        ? { id: ids.commentId, requestId: request, parentId: null, body: comment("Once") }
        : { id: request, ...ids, seen: "submitted", body: comment("Once") };
      const kind = isComment ? "comment.create" : "request.decline";
      const operations = [{ id: randomUUID(), kind, version: 1, payload }];
      const answers = await Promise.all([1, 2, 3].map(() => bob.post("/api/sync/push", { operations })));
      const outcomes = answers.map((answer) => must(answer, 200).body.outcomes[0].outcome);
      expect(outcomes.toSorted()).toEqual(["applied", "duplicate", "duplicate"]);
      expect(await linesOf(api, "alice", request)).toEqual([...(isComment ? [] : ["L declined"]), "C Once"]);
      const notifications = (await alice.get("/api/sync/notifications")).body.hits.hits;
      expect(notifications.filter((one: { request: string }) => one.request === request).length).toBe(1);
    },
  );
});

describe("limits of pushed payloads (security 1)", () => {
  test.each([
    ["a token that can be guessed", { token: "aaaaaaaaaaaaaaaaaaaaaaaa" }],
    ["a day that is none", { expires_at: "never" }],
    ["a description without end", { description: "x".repeat(1001) }],
    ["an id that is none", { id: "1" }],
  ])("a link with %s is refused", async (_what, wrong) => {
    const alice = await api.as("alice");
    const recordId = await givenDraft(alice);
    const token = randomBytes(32).toString("base64url");
    const link = { id: randomUUID(), recordId, token, permission: "view", expires_at: null, description: "" };
    expect(await push(alice, "access-link.create", { ...link, ...wrong })).toMatchObject({
      outcome: "rejected",
      refusal: { status: 400 },
    });
    expect(await push(alice, "access-link.create", link)).toMatchObject({ outcome: "applied" });
  });

  test("an operation may not be larger than the API call that it represents", async () => {
    const alice = await api.as("alice");
    const { request } = await givenSubmitted(api, "alice", "bob");
    const payload = { id: randomUUID(), requestId: request, parentId: null, body: comment("x"), padding: "" };
    payload.padding = "x".repeat(10 * 1024 * 1024);
    expect(await push(alice, "comment.create", payload)).toMatchObject({
      outcome: "rejected",
      refusal: { status: 413 },
    });
  });

  test("an operation with the id of another user's object is rejected, and the object is unchanged", async () => {
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "alice", "bob");
    const theirs = await givenSubmitted(api, "carol", "bob");
    const id = await givenComment(api, "carol", theirs.request, "Mine");
    const taken = { outcome: "rejected", refusal: { status: 409 } };
    const foreign = { id, requestId: request, parentId: null, body: comment("Not mine") };
    expect(await push(alice, "comment.create", foreign)).toMatchObject(taken);
    expect(await push(bob, "request.decline", { id: request, logId: id, commentId: randomUUID() })).toMatchObject(
      taken,
    );
    const review = { draftId: await givenDraft(alice), id: theirs.request, body: { receiver: { user: "2" } } };
    expect(await push(alice, "review.put", review)).toMatchObject({ outcome: "rejected" });
    const { command } = await givenUploaded(alice, "bytes");
    const entry = { id: command.entryId, key: "b.txt", metadata: null, hidden: false, announced: null };
    const files = { draftId: await givenDraft(alice), bucketId: randomUUID(), files: [entry] };
    expect(await push(alice, "file.init", files)).toMatchObject(taken);
    expect(await linesOf(api, "carol", theirs.request)).toEqual(["C Mine"]);
    expect(await linesOf(api, "alice", request)).toEqual([]);
  });

  test("the id of a new object is stored in lower case: a comment pushed with a capital id can be found", async () => {
    const alice = await api.as("alice");
    const { request } = await givenSubmitted(api, "alice", "bob");
    const id = randomUUID();
    const command = { id: id.toUpperCase(), requestId: request, parentId: null, body: comment("Loud") };
    expect(await push(alice, "comment.create", command)).toMatchObject({ outcome: "applied", result: id });
    expect((await alice.get(`/api/requests/${request}/comments/${id}`)).status).toBe(200);
  });
});
