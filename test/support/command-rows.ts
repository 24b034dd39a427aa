import { createHash, randomBytes, randomUUID } from "node:crypto";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";
import type { CommandRow, Scene } from "./command-scene.ts";
import { fileCommandRows } from "./file-command-rows.ts";
import { must } from "./files.ts";
import { comment, givenComment, givenReview, givenSubmitted, publishable } from "./reviews.ts";

const edit = ["owner", "admin", "grant edit", "grant manage", "group manage", "link edit"];
const manage = ["owner", "admin", "grant manage", "group manage"];
const signedIn = ["other", "reviewer", "moderator", "administration", "grant view", "grant preview"];
const readers = ["reviewer", "owner", "admin", "moderator", "grant preview", "grant edit", "grant manage"];

const newRecordId = (): string => recordIdFrom(randomBytes(5));
const newToken = (): string => randomBytes(32).toString("base64url");
const ids = () => ({ logId: randomUUID(), commentId: randomUUID() });
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest("hex");

async function sharedDraft({ owner, share }: Scene, body: object = publishable()): Promise<string> {
  const { id } = must(await owner.post("/api/records", body), 201).body;
  await share(id);
  return id;
}

async function sharedRecord(scene: Scene): Promise<string> {
  const id = await sharedDraft(scene);
  must(await scene.owner.post(`/api/records/${id}/draft/actions/publish`), 202);
  return id;
}

async function sharedLink(scene: Scene): Promise<{ id: string; recordId: string }> {
  const recordId = await sharedDraft(scene);
  const made = await scene.owner.post(`/api/records/${recordId}/access/links`, { permission: "view" });
  return { id: must(made, 201).body.id, recordId };
}

async function sharedGrant(scene: Scene): Promise<{ id: string; recordId: string }> {
  const recordId = await sharedDraft(scene);
  const { db } = scene.api.server.host;
  const grants = db.selectFrom("access_grant").innerJoin("draft", "draft.parent_id", "access_grant.parent_id");
  const { id } = await grants.select("access_grant.id").where("draft.id", "=", recordId).executeTakeFirstOrThrow();
  return { id, recordId };
}

async function shared(scene: Scene, given: typeof givenReview): Promise<{ draft: string; request: string }> {
  const review = await given(scene.api, "owner", "reviewer");
  await scene.share(review.draft);
  return review;
}

async function sharedComment(scene: Scene): Promise<{ id: string; requestId: string }> {
  const { request } = await shared(scene, givenSubmitted);
  return { id: await givenComment(scene.api, "owner", request, "Please"), requestId: request };
}

/** A file of the owner in a conversation. */
async function sharedFile(scene: Scene): Promise<{ request: string; key: string }> {
  const { request } = await shared(scene, givenSubmitted);
  const { key } = must(await scene.owner.putBytes(`/api/requests/${request}/files/upload/a.txt`, "bytes"), 200).body;
  return { request, key };
}

async function unreadOf(scene: Scene, name: string): Promise<string[]> {
  await shared(scene, givenSubmitted);
  const user = await scene.api.idOf(name);
  const rows = scene.api.server.host.db.selectFrom("notification").select("id").where("user_id", "=", user);
  return (await rows.where("is_read", "=", 0).execute()).map(({ id }) => id);
}

async function conflictOf(scene: Scene): Promise<object> {
  const draftId = await sharedDraft(scene);
  const { db } = scene.api.server.host;
  const { parent_id } = await db
    .selectFrom("draft")
    .select("parent_id")
    .where("id", "=", draftId)
    .executeTakeFirstOrThrow();
  const id = randomUUID();
  const value = { path: "metadata/title", mine: '"mine"', theirs: '"theirs"', theirs_by: null, created: 1 };
  const user_id = await scene.api.idOf("owner");
  await db
    .insertInto("conflict")
    .values({ id, draft_id: draftId, parent_id, user_id, ...value })
    .execute();
  return { id, draftId };
}

const never = (payload: object): CommandRow => ({ allowed: [], payload: async () => payload });
const onRequest = async (scene: Scene, given: typeof givenReview) => ({
  id: (await shared(scene, given)).request,
  ...ids(),
});

/** One row for each command that can be pushed: who may run it on shared objects. */
const pushed: Record<string, CommandRow> = {
  "access-link.create": {
    allowed: manage,
    payload: async (scene) => {
      const link = { permission: "view", expires_at: null, description: "" };
      return { id: randomUUID(), recordId: await sharedDraft(scene), token: newToken(), ...link };
    },
  },
  "access-link.update": {
    allowed: manage,
    payload: async (scene) => ({ ...(await sharedLink(scene)), permission: "edit" }),
  },
  "access-link.delete": { allowed: manage, payload: sharedLink },
  "access-grant.create": {
    allowed: manage,
    payload: async (scene) => {
      const subject = { type: "user", id: await scene.api.idOf("other") };
      const grant = { id: randomUUID(), permission: "manage", subject, origin: null, message: null };
      return { recordId: await sharedDraft(scene), grants: [grant] };
    },
  },
  "access-grant.update": {
    allowed: manage,
    payload: async (scene) => ({ ...(await sharedGrant(scene)), permission: "manage" }),
  },
  "access-grant.delete": { allowed: manage, payload: sharedGrant },
  ...fileCommandRows({ edit, sharedDraft }),
  "draft.create": {
    allowed: ["owner", "admin", "grant edit", "grant manage", "group manage", "link edit", ...signedIn],
    isOwn: true,
    payload: async () => {
      const access = { record: "public", files: "public", embargo: { active: false, reason: null } };
      const files = { enabled: false, default_preview: null, order: [] };
      const input = { metadata: { title: "Mine" }, custom_fields: {}, access, pids: {}, files };
      return { id: newRecordId(), parentId: newRecordId(), input };
    },
  },
  "draft.edit": {
    allowed: edit,
    payload: async (scene) => {
      const change = { path: ["metadata", "title"], before: "Deep sea core 12", after: "Deep sea core 13" };
      return { id: await sharedDraft(scene), epoch: -1, update: "", changes: [change] };
    },
  },
  "draft.discard": { allowed: edit, payload: async (scene) => ({ id: await sharedDraft(scene) }) },
  "draft.edit-published": { allowed: edit, payload: async (scene) => ({ id: await sharedRecord(scene) }) },
  "draft.new-version": {
    allowed: edit,
    payload: async (scene) => ({ id: newRecordId(), recordId: await sharedRecord(scene) }),
  },
  "draft.publish": { allowed: edit, payload: async (scene) => ({ id: await sharedDraft(scene) }) },
  "draft.settle-conflict": { allowed: ["owner"], isSilent: true, payload: conflictOf },
  "notification.read": {
    allowed: ["reviewer"],
    isSilent: true,
    payload: async (scene) => ({ ids: await unreadOf(scene, "reviewer") }),
  },
  "request.submit": { allowed: ["owner", "admin"], payload: (scene) => onRequest(scene, givenReview) },
  "request.accept": { allowed: ["reviewer", "admin"], payload: (scene) => onRequest(scene, givenSubmitted) },
  "request.decline": { allowed: ["reviewer", "admin"], payload: (scene) => onRequest(scene, givenSubmitted) },
  "request.cancel": { allowed: ["owner", "admin"], payload: (scene) => onRequest(scene, givenSubmitted) },
  "request.request-changes": { allowed: ["reviewer", "admin"], payload: (scene) => onRequest(scene, givenSubmitted) },
  "request.request-review": {
    allowed: ["owner", "admin"],
    payload: async (scene) => {
      const { request } = await shared(scene, givenSubmitted);
      must(await (await scene.api.onServer("reviewer")).post(`/api/requests/${request}/actions/request-changes`), 200);
      return { id: request, ...ids() };
    },
  },
  "request.add-reviewer": {
    allowed: ["owner", "admin"],
    payload: async (scene) => {
      const { request } = await shared(scene, givenSubmitted);
      return { id: request, eventId: randomUUID(), body: { user: await scene.api.idOf("other") } };
    },
  },
  "request.remove-reviewer": {
    allowed: ["owner", "admin"],
    payload: async (scene) => {
      const { request } = await shared(scene, givenSubmitted);
      const user = await scene.api.idOf("other");
      must(await (await scene.api.onServer("owner")).post(`/api/requests/${request}/reviewers`, { user }), 200);
      return { id: request, eventId: randomUUID(), who: `user:${user}` };
    },
  },
  "attachment.create": {
    allowed: [...readers, "group manage", "link edit"],
    payload: async (scene) => {
      const { request } = await sharedFile(scene);
      const facts = { sha256: hash("sha256", "bytes"), md5: hash("md5", "bytes"), size: 5 };
      return { id: randomUUID(), requestId: request, name: "b.txt", key: "b.txt", ...facts };
    },
  },
  "attachment.delete": {
    allowed: ["owner", "reviewer", "admin"],
    payload: async (scene) => {
      const { request, key } = await sharedFile(scene);
      return { requestId: request, key };
    },
  },
  "review.put": {
    allowed: manage,
    payload: async (scene) => {
      const body = { receiver: { user: await scene.api.idOf("reviewer") } };
      return { draftId: await sharedDraft(scene), id: randomUUID(), body };
    },
  },
  "review.delete": {
    allowed: manage,
    payload: async (scene) => ({ draftId: (await shared(scene, givenReview)).draft }),
  },
  "review.submit": {
    allowed: manage,
    payload: async (scene) => ({ draftId: (await shared(scene, givenReview)).draft, commentId: randomUUID() }),
  },
  "comment.create": {
    // Signed-in users who preview the topic by a link may do so too (requests 3.1).
    allowed: [...readers, "group manage", "link edit"],
    payload: async (scene) => {
      const requestId = (await shared(scene, givenSubmitted)).request;
      return { id: randomUUID(), requestId, parentId: null, body: comment("Hello") };
    },
  },
  "comment.update": {
    allowed: ["owner", "admin"],
    payload: async (scene) => ({ ...(await sharedComment(scene)), body: comment("Changed") }),
  },
  "comment.delete": { allowed: ["owner", "reviewer", "admin"], payload: sharedComment },
  "comment.resolve": {
    allowed: ["owner", "admin"],
    payload: async (scene) => {
      const requestId = (await shared(scene, givenSubmitted)).request;
      const body = { about: { field: "metadata.title" }, ...comment("Please") };
      const id = must(await scene.owner.post(`/api/requests/${requestId}/comments`, body), 201).body.id;
      return { id, requestId, isResolved: true };
    },
  },
};

/** Commands that cannot be pushed, each with a harmful payload. */
const unreachable: Record<string, CommandRow> = {
  "user.create": never({ username: "root2", email: "root2@example.org", roles: ["superuser-access"] }),
  "user.deactivate": never({ id: "1" }),
  "user.update-profile": never({ full_name: "Somebody else" }),
  "user.activate": never({ id: "1" }),
  "user.weigh-roles": never({ userId: "1" }),
  "user.verify-orcid": never({ userId: "1", orcid: "0000-0002-1825-0097" }),
  "user.set-quota": never({ userId: "1", quota_bytes: 1 }),
  "user.groups": never({ userId: "1", how: "add", body: { groups: ["superuser-access"] } }),
  "group.create": never({ body: { name: "new-group" } }),
  "group.update": never({ name: "level-manage", body: { description: "mine" } }),
  "group.delete": never({ name: "level-manage" }),
  "group.provide": never({ name: "provided", is_managed: false }),
  "collection.create": never({ body: { slug: "mine", title: "Mine", query: "*", group: "level-manage" } }),
  "collection.update": never({ slug: "mine", body: { title: "Mine", query: "*" } }),
  "collection.delete": never({ slug: "mine" }),
  "record.delete": { allowed: [], payload: async (scene) => ({ id: await sharedRecord(scene) }) },
  "record.restore": { allowed: [], payload: async (scene) => ({ id: await sharedRecord(scene) }) },
  "embargo.lift": { allowed: [], payload: async (scene) => ({ id: await sharedRecord(scene) }) },
  "document.compact": { allowed: [], payload: async (scene) => ({ id: await sharedDraft(scene) }) },
  "doi.reserve": { allowed: [], payload: async (scene) => ({ id: await sharedDraft(scene) }) },
  "doi.release": { allowed: [], payload: async (scene) => ({ id: await sharedDraft(scene) }) },
  "access.update-settings": {
    allowed: [],
    payload: async (scene) => ({ recordId: await sharedDraft(scene), settings: { allow_user_requests: true } }),
  },
  "request.update": {
    allowed: [],
    payload: async (scene) => ({ ...(await onRequest(scene, givenSubmitted)), body: { title: "Changed" } }),
  },
  "request.delete": { allowed: [], payload: (scene) => onRequest(scene, givenReview) },
  "request.lock": {
    allowed: [],
    payload: async (scene) => ({ ...(await onRequest(scene, givenSubmitted)), eventId: randomUUID() }),
  },
  "request.unlock": {
    allowed: [],
    payload: async (scene) => ({ ...(await onRequest(scene, givenSubmitted)), eventId: randomUUID() }),
  },
  "request.expire": { allowed: [], payload: (scene) => onRequest(scene, givenSubmitted) },
  "request.create": {
    allowed: [],
    payload: async (scene) => {
      const body = { receiver: { user: await scene.api.idOf("reviewer") } };
      return { recordId: await sharedRecord(scene), id: randomUUID(), body };
    },
  },
  "access-request.create": {
    allowed: [],
    payload: async (scene) => ({ recordId: await sharedRecord(scene), id: randomUUID(), message: "Please" }),
  },
  "access-request.confirm": {
    allowed: [],
    payload: async () => ({ confirmationId: randomUUID(), id: randomUUID() }),
  },
  "access-request.withdraw": {
    allowed: [],
    payload: async () => ({ confirmationId: randomUUID(), logId: randomUUID() }),
  },
};

export const commandRows: Record<string, CommandRow> = { ...pushed, ...unreachable };
