import type { AccessRequestRow, ForeignRequestRow, RequestRow } from "../database/schema.ts";
import type { SyncMark } from "../kernel/sync-mark.ts";
import { spacedTime } from "../kernel/timestamps.ts";
import { isClosed, isOpen } from "./request.lifecycle.ts";
import { requestType } from "./request.schema.ts";
import { reviewersOf, waitsForChanges } from "./reviewer.policy.ts";
import type { Reviewer } from "./reviewer.schema.ts";

export interface RequestView {
  baseUrl: string;
  /** What a request for access has besides other requests. */
  asked?: AccessRequestRow | undefined;
  /** What a request of an InvenioRDM has besides ours. */
  foreign?: ForeignRequestRow | undefined;
  /** The newest live comment as its reader sees it. */
  lastReply: Record<string, unknown> | null;
  expanded?: Record<string, unknown>;
  sync?: SyncMark | undefined;
}

/** Only the actions that their server offers. */
function foreignLinksOf(id: string, baseUrl: string, offered: readonly string[]): Record<string, unknown> {
  const self = `${baseUrl}/api/requests/${id}`;
  return {
    self,
    self_html: `${baseUrl}/me/requests/${id}`,
    comments: `${self}/comments`,
    timeline: `${self}/timeline`,
    actions: Object.fromEntries(offered.map((name) => [name, `${self}/actions/${name}`])),
  };
}

/** The type, the parties and the links that their server named. */
function foreignPart({ type, their_receiver, their_topic, offered }: ForeignRequestRow, id: string, baseUrl: string) {
  const { title: _, ...receiver } = JSON.parse(their_receiver);
  const links = foreignLinksOf(id, baseUrl, JSON.parse(offered));
  return { type, receiver, reviewers: [], topic: JSON.parse(their_topic), files: { enabled: false }, links };
}

function linksOf(id: string, baseUrl: string): Record<string, unknown> {
  const self = `${baseUrl}/api/requests/${id}`;
  const named = ["comments", "timeline", "timeline_focused", "lock", "unlock"].map((name) => [name, `${self}/${name}`]);
  const actions = ["accept", "cancel", "decline", "submit"].map((name) => [name, `${self}/actions/${name}`]);
  return {
    self,
    self_html: `${baseUrl}/me/requests/${id}`,
    ...Object.fromEntries(named),
    // Beside the four keys that all clients know (interoperability, kept on purpose).
    request_changes: `${self}/actions/request-changes`,
    request_review: `${self}/actions/request-review`,
    actions: Object.fromEntries(actions),
  };
}

const presentReviewer = ({ user, group, outcome, decided, deactivated }: Reviewer) => ({
  ...(user === undefined ? { group, outcome } : { user, outcome }),
  decided_at: decided === null ? null : spacedTime(decided),
  ...(deactivated ? { is_deactivated: true } : {}),
});

/** The guest who made a request for access, in the shape of a user. */
export const presentGuest = ({ email, full_name }: AccessRequestRow): Record<string, unknown> => ({
  id: email,
  email,
  profile: { full_name, affiliations: "" },
  is_ghost: true,
});

/** What is asked for, with the keys of InvenioRDM (interoperability 14). */
const payloadOf = ({ email, full_name, message, link_days }: AccessRequestRow): Record<string, unknown> => ({
  permission: "view",
  message,
  ...(email === null ? {} : { email, full_name, secret_link_expiration: String(link_days) }),
});

/** The body of a request. The links are the same in every status and for every reader (requests 3). */
export function presentRequest(request: RequestRow, view: RequestView): Record<string, unknown> {
  return {
    id: request.id,
    number: request.number,
    type: view.asked?.type ?? requestType,
    title: request.title,
    ...(request.description === null ? {} : { description: request.description }),
    status: request.status,
    created_by: view.asked?.email ? { email: view.asked.email } : { user: request.creator_id },
    receiver: { user: request.receiver_id },
    reviewers: reviewersOf(request).map(presentReviewer),
    changes_requested: waitsForChanges(request),
    topic: { record: request.topic_record_id },
    ...(view.asked ? { payload: payloadOf(view.asked) } : {}),
    expires_at: request.expires_at === null ? null : spacedTime(request.expires_at),
    is_closed: isClosed(request.status),
    is_open: isOpen(request.status),
    is_expired: request.status === "expired",
    is_locked: request.is_locked === 1,
    revision_id: request.revision_id,
    created: spacedTime(request.created),
    updated: spacedTime(request.updated),
    files: { enabled: true },
    last_reply: view.lastReply,
    last_activity_at: spacedTime(request.last_activity_at),
    links: linksOf(request.id, view.baseUrl),
    ...(view.foreign ? foreignPart(view.foreign, request.id, view.baseUrl) : {}),
    ...(view.expanded ? { expanded: view.expanded } : {}),
    ...(view.sync ? { sync: view.sync } : {}),
  };
}
