import { denied, type Json, notFound, Refusal } from "./call.ts";
import type { Context, Site } from "./route.ts";
import type { Comment, Person, RequestRow } from "./state.ts";

export const isOpen = ({ status }: RequestRow): boolean => status === "submitted";
const isClosed = ({ status }: RequestRow): boolean => !["created", "submitted"].includes(status);

const isCurator = (site: Site, { receiver }: RequestRow, person: Person): boolean =>
  site.state.communities.get(receiver.community ?? "")?.members.has(person.id) ?? receiver.user === String(person.id);

export const maySee = (site: Site, request: RequestRow, person: Person | undefined): boolean =>
  person !== undefined &&
  (request.createdBy === person.id || (request.status !== "created" && isCurator(site, request, person)));

/** What the caller may do now (F21). */
export function actionsOf({ site, person }: Context, request: RequestRow): string[] {
  if (!person) return [];
  const isCreator = request.createdBy === person.id;
  if (request.status === "created") return isCreator ? ["submit"] : [];
  if (!isOpen(request)) return [];
  return [...(isCreator ? ["cancel"] : []), ...(isCurator(site, request, person) ? ["accept", "decline"] : [])];
}

export function requireRequest(context: Context): RequestRow {
  const { site, params, person } = context;
  const id = params.id ?? "";
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new Refusal(400, "A validation error occurred.", {
      errors: [{ field: "request_id", messages: ["Not a valid UUID."] }],
    });
  const request = site.state.requests.get(id);
  if (!request) throw notFound();
  if (!maySee(site, request, person)) throw denied();
  return request;
}

export function presentComment({ site, person }: Context, request: RequestRow, comment: Comment): Json {
  const self = `${site.url}/api/requests/${request.id}/comments/${comment.id}`;
  const isOwn = person !== undefined && comment.author === person.id && comment.type === "C";
  const replies = site.profile.version >= 14;
  return {
    id: comment.id,
    created: site.clock.iso(comment.created),
    updated: site.clock.iso(comment.updated),
    links: { self, ...(replies && !comment.parentId ? { reply: `${self}/reply`, replies: `${self}/replies` } : {}) },
    revision_id: comment.revision,
    type: comment.type,
    created_by: comment.author === undefined ? { user: "system" } : { user: String(comment.author) },
    permissions: {
      ...{ can_update_comment: isOwn, can_delete_comment: isOwn },
      ...(replies ? { can_reply_comment: true } : {}),
    },
    ...(replies ? { parent_id: comment.parentId ?? null } : {}),
    payload:
      comment.type === "L"
        ? { event: comment.event, content: comment.content, format: comment.format }
        : { content: comment.content, format: comment.format },
  };
}

export function presentRequest(context: Context, request: RequestRow): Json {
  const { site } = context;
  const self = `${site.url}/api/requests/${request.id}`;
  const actions = actionsOf(context, request).map((name) => [name, `${self}/actions/${name}`]);
  const last = request.comments.findLast(({ type }) => type === "C");
  const newer = site.profile.version >= 14;
  return {
    id: request.id,
    created: site.clock.iso(request.created),
    updated: site.clock.iso(request.updated),
    links: {
      ...{
        self,
        self_html: `${site.url}/me/requests/${request.id}`,
        comments: `${self}/comments`,
        timeline: `${self}/timeline`,
      },
      ...(newer ? { lock: `${self}/lock`, unlock: `${self}/unlock` } : {}),
      actions: Object.fromEntries(actions),
    },
    revision_id: request.revision,
    type: request.type,
    title: request.title,
    ...(request.description ? { description: request.description } : {}),
    number: String(request.number),
    status: request.status,
    is_closed: isClosed(request),
    is_open: isOpen(request),
    expires_at: null,
    is_expired: false,
    ...(newer
      ? {
          last_reply: last ? presentComment(context, request, last) : null,
          last_activity_at: site.clock.iso(request.lastActivity),
          ...(request.isLocked ? { is_locked: true } : {}),
        }
      : {}),
    created_by: { user: String(request.createdBy) },
    receiver: request.receiver,
    topic: request.topic === undefined ? null : { record: request.topic },
  };
}

export function addEvent(site: Site, request: RequestRow, comment: Partial<Comment> & Pick<Comment, "type">): Comment {
  const now = site.clock.now();
  const whole: Comment = {
    ...{ id: site.newUuid(), requestId: request.id, author: undefined, content: "", format: "html" },
    ...{ revision: 1, created: now, updated: now, isUnlisted: site.index.isDeaf },
    ...comment,
  };
  request.comments.push(whole);
  request.lastActivity = now;
  return whole;
}
