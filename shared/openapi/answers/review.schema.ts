import { z } from "zod";
import { outcomes } from "../../requests/reviewer.schema.ts";
import { address, isoTime, listOf, marked, plainListOf, revision, spacedTime, userReference } from "./common.schema.ts";
import { named } from "./named.schema.ts";
import { user } from "./people.schema.ts";

const expanded = z.record(z.string(), z.unknown()).optional().describe("With `expand=1`: people and topic spelled out");

export const reviewingPeople = named(
  "ReviewingPeople",
  "The people who review, by name or in a group.",
  plainListOf(user),
);

export const attachment = named(
  "Attachment",
  "A file of a conversation.",
  z.object({
    id: z.uuid(),
    key: z.string(),
    checksum: z.string().regex(/^md5:[0-9a-f]{32}$/),
    size: z.int().min(0),
    mimetype: z.string(),
    metadata: z.object({ original_filename: z.string() }),
    links: z.object({ self: address, content: address }),
  }),
);

const decisions = ["accepted", "declined", "cancelled", "expired", "changes_requested", "review_requested"] as const;
const logEvents = [
  ...decisions,
  ...(["locked", "unlocked", "comment_deleted", "reviewer_added", "reviewer_removed"] as const),
] as const;
const about = z.object({
  field: z.string().optional(),
  file: z.string().optional(),
  user: z.string().optional(),
  group: z.string().optional(),
  resolved_by: z.string().optional().describe("Who settled a comment on a field or file"),
});

const eventShape = z.object({
  id: z.uuid(),
  type: z.enum(["C", "L"]).describe("Comment or log"),
  payload: z.object({
    content: z.string().optional(),
    format: z.literal("html"),
    files: z.array(z.object({ file_id: z.uuid() })).optional(),
    event: z.enum(logEvents).optional(),
  }),
  about: about.optional().describe("The field or file of a comment; the reviewer of a log entry"),
  created_by: userReference,
  parent_id: z.uuid().nullable(),
  created: spacedTime,
  updated: spacedTime,
  revision_id: revision,
  permissions: z.object({
    can_update_comment: z.boolean(),
    can_delete_comment: z.boolean(),
    can_reply_comment: z.boolean(),
    can_resolve_comment: z.boolean().optional().describe("Only of a comment on a field or file"),
  }),
  links: z.object({
    self: address,
    reply: address.optional(),
    replies: address.optional(),
    replies_focused: address.optional(),
    self_html: address.optional(),
  }),
  expanded,
  ...marked,
});

/** An event of a conversation (requests 7). */
export const event = named("Event", "A comment, or a log entry.", eventShape);
export const thread = named(
  "Thread",
  "A top-level event with its newest replies.",
  eventShape.extend({ children: z.array(event), children_count: z.int().min(0) }),
);
export const timeline = named("Timeline", "A page of a conversation.", listOf(thread, { showsPage: true }));
export const replies = named("Replies", "A page of the replies to a comment.", listOf(event, { showsPage: true }));

export const request = named(
  "Request",
  "A request for a review or for access: creator, receiver, topic and status.",
  z.object({
    id: z.uuid(),
    number: z.string(),
    type: z.enum(["default-request", "user-access-request", "guest-access-request"]),
    title: z.string(),
    description: z.string().optional(),
    status: z.enum(["draft", "submitted", "accepted", "declined", "cancelled", "expired"]),
    created_by: z
      .object({ user: z.string().optional(), email: z.string().optional() })
      .describe("A user, or a guest by address"),
    receiver: userReference,
    reviewers: z
      .array(
        z.object({
          user: z.string().optional(),
          group: z.string().optional(),
          outcome: z.enum(outcomes),
          decided_at: spacedTime.nullable(),
          is_deactivated: z.literal(true).optional().describe("The account of this reviewer is deactivated"),
        }),
      )
      .describe("All reviewers, the receiver first"),
    changes_requested: z.boolean().describe("An open request waits for changes by its creator"),
    topic: z.object({ record: z.string() }),
    payload: z
      .object({
        permission: z.literal("view"),
        message: z.string(),
        email: z.string().optional(),
        full_name: z.string().optional(),
        secret_link_expiration: z.string().optional(),
      })
      .optional()
      .describe("What is asked for; in requests for access alone"),
    expires_at: spacedTime.nullable(),
    is_closed: z.boolean(),
    is_open: z.boolean(),
    is_expired: z.boolean(),
    is_locked: z.boolean(),
    revision_id: revision,
    created: spacedTime,
    updated: spacedTime,
    files: z.object({ enabled: z.boolean() }),
    last_reply: event.nullable(),
    last_activity_at: spacedTime,
    links: z.object({
      self: address,
      self_html: address,
      next_html: address.optional().describe("The page to show next; after submitting alone"),
      comments: address,
      timeline: address,
      timeline_focused: address,
      lock: address,
      unlock: address,
      request_changes: address,
      request_review: address,
      actions: z.object({ accept: address, cancel: address, decline: address, submit: address }),
    }),
    expanded,
    ...marked,
  }),
);
export const requestList = named(
  "RequestList",
  "A page of requests.",
  listOf(request, { aggregations: ["type", "status"], showsPage: true }),
);

export const notification = named(
  "Notification",
  "A notification about what somebody else did.",
  z.object({
    id: z.string(),
    kind: z.enum([
      ...["submitted", "access_asked", "accepted", "declined", "cancelled", "commented", "replied"],
      ...["changes_requested", "review_requested", "mentioned", "record_deleted"],
    ] as const),
    request: z.uuid().nullable(),
    record: z.string().optional().describe("The record that was deleted"),
    comment: z.uuid().nullable(),
    actor: z.string(),
    title: z.string(),
    created: isoTime,
    read: z.boolean(),
  }),
);
export const notificationList = named(
  "NotificationList",
  "Notifications, newest first.",
  listOf(notification, { more: { unread: z.int().min(0) } }),
);
