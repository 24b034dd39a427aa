import type { z } from "zod";
import { createAccessLink, deleteAccessLink, updateAccessLink } from "../access/access-link.schema.ts";
import {
  createGrants,
  deleteGrant,
  type GrantSubject,
  updateAccessSettings,
  updateGrant,
} from "../access/grant.schema.ts";
import { askForAccess, confirmGuest, withdrawGuest } from "../access-requests/access-request.schema.ts";
import { setQuota } from "../blobs/storage-quota.schema.ts";
import { createCollection, deleteCollection, updateCollection } from "../collections/collection.schema.ts";
import { deleteAttachment, deleteComment } from "../comments/comment.schema.ts";
import { discardDraft, publishDraft } from "../drafts/draft.schema.ts";
import { createGroup, deleteGroup, provideGroup, updateGroup } from "../groups/group.schema.ts";
import { deleteRecord, restoreRecord } from "../records/deletion.schema.ts";
import {
  actionCommands,
  createRecordRequest,
  deleteRequest,
  deleteReview,
  expireRequest,
  lockRequest,
  putReview,
  submitReview,
  unlockRequest,
  updateRequest,
} from "../requests/request.schema.ts";
import { updateProfile } from "../users/profile.schema.ts";
import { activateUser, changeGroups, createUser, deactivateUser } from "../users/user.schema.ts";

/** What the audit log records about a command: its object, and ids and fixed words. */
export interface AuditSubject {
  object?: { type: string; id: string };
  details?: Record<string, unknown>;
}

/** @param result of the command; undefined when it was refused. */
type Describe = (input: unknown, result: unknown) => AuditSubject;

const audited = <I>(
  { name }: { name: string; input: z.ZodType<I> },
  describe: (input: I, result: unknown) => AuditSubject,
): [string, Describe] => [name, describe as Describe];

const object = (type: string, id: unknown): AuditSubject => (typeof id === "string" ? { object: { type, id } } : {});
const record = (id: string, details: Record<string, unknown> = {}): AuditSubject => ({
  ...object("record", id),
  details,
});
const subjectText = ({ type, id }: GrantSubject): string => `${type}:${id}`;

/** The group that gets a collection, and with it the right to edit it. */
function givenGroup(body: unknown): Record<string, unknown> {
  const { group } = (body ?? {}) as { group?: unknown };
  return typeof group === "string" ? { group: group.slice(0, 80) } : {};
}

const people = [
  audited(createUser, ({ username, roles }, id) => ({ ...object("user", id), details: { username, roles } })),
  audited(deactivateUser, ({ id }) => object("user", id)),
  audited(updateProfile, (change) => ({ details: { fields: Object.keys(change) } })),
  audited(activateUser, ({ id }) => object("user", id)),
  audited(setQuota, ({ userId, quota_bytes }) => ({ ...object("user", userId), details: { quota_bytes } })),
  audited(changeGroups, ({ userId, how }, result) => ({
    ...object("user", userId),
    details: { how, ...(result as { added: string[]; removed: string[] } | undefined) },
  })),
  audited(createGroup, (_input, name) => object("group", name)),
  audited(provideGroup, ({ name, is_managed }) => ({ ...object("group", name), details: { is_managed } })),
  audited(updateGroup, ({ name }) => object("group", name)),
  audited(deleteGroup, ({ name }) => object("group", name)),
  audited(createCollection, ({ body }, slug) => ({ ...object("collection", slug), details: givenGroup(body) })),
  audited(updateCollection, ({ slug, body }) => ({ ...object("collection", slug), details: givenGroup(body) })),
  audited(deleteCollection, ({ slug }) => object("collection", slug)),
];

const access = [
  audited(createAccessLink, ({ recordId, id, permission, expires_at }) =>
    record(recordId, { link: id, permission, expires_at }),
  ),
  audited(updateAccessLink, ({ recordId, id, permission, expires_at }) =>
    record(recordId, { link: id, permission, expires_at }),
  ),
  audited(deleteAccessLink, ({ recordId, id }) => record(recordId, { link: id })),
  audited(createGrants, ({ recordId, grants }) =>
    record(recordId, {
      grants: grants.map(({ permission, subject }) => ({ permission, subject: subjectText(subject) })),
    }),
  ),
  audited(updateGrant, ({ recordId, id, permission, subject }) =>
    record(recordId, { grant: id, permission, subject: subject && subjectText(subject) }),
  ),
  audited(deleteGrant, ({ recordId, id }) => record(recordId, { grant: id })),
  // Without the text of the conditions, which the record has.
  audited(updateAccessSettings, ({ recordId, settings: { accept_conditions_text: text, ...settings } }) =>
    record(recordId, { ...settings, ...(text === undefined ? {} : { conditions_changed: true }) }),
  ),
];

const records = [
  audited(publishDraft, ({ id }) => record(id)),
  audited(discardDraft, ({ id }) => record(id)),
  audited(deleteRecord, ({ id, removal_reason: reason }) => record(id, { reason: reason?.id })),
  audited(restoreRecord, ({ id }) => record(id)),
];

const requests = [
  audited(putReview, ({ id, draftId }) => ({ ...object("request", id), details: { record: draftId } })),
  audited(deleteReview, ({ draftId }) => record(draftId)),
  audited(submitReview, ({ draftId }) => record(draftId)),
  audited(createRecordRequest, ({ id, recordId }) => ({ ...object("request", id), details: { record: recordId } })),
  audited(askForAccess, ({ id, recordId }) => ({ ...object("request", id), details: { record: recordId } })),
  audited(confirmGuest, (_input, id) => object("request", id)),
  audited(withdrawGuest, (_input, id) => object("request", id)),
  ...[
    ...Object.values(actionCommands),
    ...[expireRequest, lockRequest, unlockRequest, updateRequest, deleteRequest],
  ].map((command) => audited<{ id: string }>(command, ({ id }) => object("request", id))),
  // Reviewers delete what others wrote, and the timeline does not say who did.
  audited(deleteComment, ({ id, requestId }) => ({ ...object("request", requestId), details: { comment: id } })),
  audited(deleteAttachment, ({ requestId }) => object("request", requestId)),
];

/** The commands in the audit log, and what is recorded. Never text that a person wrote, and never a secret. */
const rules: ReadonlyMap<string, Describe> = new Map([
  ...people,
  ...access,
  ...records,
  ...requests,
  ["embargo.lift", (input: unknown) => record((input as { id: string }).id)],
]);

const inHistory = "work on a draft: its history and the revisions of the record tell it";
const inTimeline = "part of a conversation: its timeline tells it";

/** All other commands, with the reason why they are not in the log. */
export const unaudited: Readonly<Record<string, string>> = {
  "draft.create": inHistory,
  "draft.edit": inHistory,
  "draft.edit-published": inHistory,
  "draft.new-version": inHistory,
  "draft.settle-conflict": inHistory,
  "doi.reserve": inHistory,
  "doi.release": inHistory,
  "file.init": inHistory,
  "file.commit": inHistory,
  "file.delete": inHistory,
  "file.delete-all": inHistory,
  "file.restore": inHistory,
  "file.metadata": inHistory,
  "files.import": inHistory,
  "files.rename": inHistory,
  "request.add-reviewer": inTimeline,
  "request.remove-reviewer": inTimeline,
  "comment.create": inTimeline,
  "comment.update": inTimeline,
  "comment.resolve": inTimeline,
  "attachment.create": inTimeline,
  "user.weigh-roles": "follows a change of the second factor, which has an entry of its own",
  "user.verify-orcid": "follows a change of the linked accounts, which has an entry of its own",
  "notification.read": "concerns nobody but the reader",
  "document.compact": "changes the form of a document, not its content",
};

/**
 * How the audit log describes a command; undefined for a command that is not recorded.
 * @throws Error for a command without a row in this file.
 */
export function auditRule(command: string): Describe | undefined {
  const describe = rules.get(command);
  if (!describe && !Object.hasOwn(unaudited, command)) throw new Error(`${command} has no row in the audit rules`);
  return describe;
}
