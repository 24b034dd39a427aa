import { type Answer, denied, emptyAnswer, invalid, jsonAnswer, notFound, objectOf, Refusal } from "./call.ts";
import { familyOf } from "./content.ts";
import { publishDraft } from "./draft.routes.ts";
import {
  actionsOf,
  addEvent,
  isOpen,
  maySee,
  presentComment,
  presentRequest,
  requireRequest,
} from "./request-state.ts";
import { type Context, ifMatch, plain, type Route, vendor } from "./route.ts";
import { pageOf, sortOf } from "./search.ts";
import type { Comment, RequestRow } from "./state.ts";
import { cleanHtml } from "./texts.ts";

const sorts = ["bestmatch", "newest", "oldest", "newestactivity", "oldestactivity"];

function inOrder(rows: RequestRow[], sort: string): RequestRow[] {
  switch (sort) {
    case "oldest":
      return rows.toSorted((a, b) => a.created - b.created);
    case "newestactivity":
      return rows.toSorted((a, b) => b.lastActivity - a.lastActivity);
    case "oldestactivity":
      return rows.toSorted((a, b) => a.lastActivity - b.lastActivity);
    default:
      return rows.toSorted((a, b) => b.created - a.created);
  }
}

/** All that the caller may read; `/user/requests` leaves out those to communities they curate (F23). */
function list(context: Context, isOwn: boolean): Answer {
  const { site, person, query } = context;
  if (!person) throw denied();
  const open = query.get("is_open");
  const found = [...site.state.requests.values()].filter(
    (request) =>
      maySee(site, request, person) &&
      (!isOwn || request.createdBy === person.id) &&
      (open === null || String(isOpen(request)) === open),
  );
  const sort = sortOf(context, "newest", sorts);
  const { hits, body } = pageOf(context, inOrder(found, sort), sort);
  return jsonAnswer({
    ...body,
    hits: { hits: hits.map((each) => presentRequest(context, each)), total: found.length },
  });
}

function timeline(context: Context): Answer {
  const request = requireRequest(context);
  const sort = sortOf(context, "oldest", ["oldest", "newest"]);
  // A list of the index, as late as the others (F17).
  const since = context.site.clock.now() - context.site.switches.indexLagMs;
  const listed = request.comments.filter(({ created, isUnlisted }) => created <= since && !isUnlisted);
  const roots = listed.filter(({ parentId }) => parentId === undefined);
  const ordered = sort === "newest" ? roots.toReversed() : roots;
  const { hits, body } = pageOf(context, ordered, sort);
  const presented = hits.map((comment) => {
    const children = listed.filter(({ parentId }) => parentId === comment.id);
    const shown = presentComment(context, request, comment);
    if (context.site.profile.version < 14) return shown;
    return {
      ...shown,
      children: children.map((each) => presentComment(context, request, each)),
      children_count: children.length,
    };
  });
  return jsonAnswer({
    ...body,
    page: Number(context.query.get("page") ?? 1),
    hits: { hits: presented, total: roots.length },
  });
}

function contentOf(context: Context): { content: string; format: string } {
  const { payload } = objectOf(context.json());
  if (payload === undefined) throw invalid([{ field: "payload", messages: ["Missing data for required field."] }]);
  const { content, format = "html" } = objectOf(payload);
  if (typeof content !== "string")
    throw invalid([{ field: "payload.content", messages: ["Missing data for required field."] }]);
  const cleaned = cleanHtml(content);
  if (cleaned === "") throw invalid([{ field: "payload.content", messages: ["Shorter than minimum length 1."] }]);
  return { content: cleaned, format: String(format) };
}

function requireUnlocked(request: RequestRow): void {
  if (request.isLocked) throw denied();
}

function createComment(context: Context): Answer {
  const request = requireRequest(context);
  requireUnlocked(request);
  const { site, person } = context;
  const comment = addEvent(site, request, { type: "C", author: person?.id, ...contentOf(context) });
  return jsonAnswer(presentComment(context, request, comment), 201);
}

function reply(context: Context): Answer {
  if (context.site.profile.version < 14) throw notFound();
  const { request, comment } = requireComment(context);
  requireUnlocked(request);
  if (comment.parentId !== undefined) throw new Refusal(400, "Nested replies are not allowed.");
  const { site, person } = context;
  const made = addEvent(site, request, { type: "C", author: person?.id, parentId: comment.id, ...contentOf(context) });
  return jsonAnswer(presentComment(context, request, made), 201);
}

function replies(context: Context): Answer {
  const { request, comment } = requireComment(context);
  const found = request.comments.filter(({ parentId }) => parentId === comment.id);
  const { hits, body } = pageOf(context, found, "oldest");
  return jsonAnswer({
    ...body,
    hits: { hits: hits.map((each) => presentComment(context, request, each)), total: found.length },
  });
}

function requireComment(context: Context): { request: RequestRow; comment: Comment } {
  const request = requireRequest(context);
  const comment = request.comments.find(({ id }) => id === context.params.comment);
  if (!comment) throw notFound();
  return { request, comment };
}

/** As for a draft, `If-Match` counts (F1). */
function requireOwnComment(context: Context): { request: RequestRow; comment: Comment } {
  const wanted = ifMatch(context);
  const { request, comment } = requireComment(context);
  if (wanted !== undefined && wanted !== comment.revision)
    throw new Refusal(412, `Revision id provided(${wanted}) doesn't match record's one(${comment.revision})`);
  if (comment.author !== context.person?.id || comment.type !== "C") throw denied();
  return { request, comment };
}

function updateComment(context: Context): Answer {
  const { request, comment } = requireOwnComment(context);
  requireUnlocked(request);
  Object.assign(comment, contentOf(context));
  comment.revision++;
  comment.updated = context.site.clock.now();
  return jsonAnswer(presentComment(context, request, comment));
}

/** A deleted comment becomes a log line. */
function deleteComment(context: Context): Answer {
  const { comment } = requireOwnComment(context);
  Object.assign(comment, {
    type: "L",
    event: "comment_deleted",
    content: "comment was deleted",
    revision: comment.revision + 1,
  });
  return emptyAnswer();
}

const closing: Record<string, { status: string; event: string }> = {
  accept: { status: "accepted", event: "accepted" },
  decline: { status: "declined", event: "declined" },
  cancel: { status: "cancelled", event: "cancelled" },
};

/** Takes no precondition (F2); accepting a submission publishes (F21). */
function act(context: Context): Answer {
  const { site, params, person } = context;
  const request = requireRequest(context);
  const action = params.action ?? "";
  const known = closing[action];
  if (!known) throw new Refusal(400, `Error for action '${action}': No such action available`);
  if (!isOpen(request)) throw new Refusal(400, `Error for action '${action}': Could not execute the action`);
  if (!actionsOf(context, request).includes(action)) throw denied();
  const { payload } = objectOf(context.call.body.length === 0 ? undefined : context.json());
  const said = payload === undefined ? undefined : contentOf(context);
  const draft = site.state.drafts.get(request.topic ?? "");
  if (action === "accept" && draft) acceptInto(context, request);
  Object.assign(request, { status: known.status, updated: site.clock.now(), revision: request.revision + 1 });
  if (action !== "accept" && draft) delete familyOf(site, draft).reviewId;
  addEvent(site, request, { type: "L", event: known.event, author: person?.id });
  if (said) addEvent(site, request, { type: "C", author: person?.id, ...said });
  return jsonAnswer(presentRequest(context, request));
}

function acceptInto({ site }: Context, request: RequestRow): void {
  const draft = site.state.drafts.get(request.topic ?? "");
  if (!draft) return;
  const family = familyOf(site, draft);
  publishDraft(site, draft);
  if (request.receiver.community !== undefined) family.communities.push(request.receiver.community);
  delete family.reviewId;
}

/** Where it is switched on, a GET changes something (F19). */
function lock(context: Context, isLocked: boolean): Answer {
  const request = requireRequest(context);
  if (context.site.profile.version < 14) throw notFound();
  if (!context.site.switches.locking) throw denied();
  request.isLocked = isLocked;
  addEvent(context.site, request, { type: "L", event: isLocked ? "locked" : "unlocked", author: context.person?.id });
  return jsonAnswer(presentRequest(context, request));
}

const accepts = [plain, vendor];
const at = "/api/requests/:id";
const comment = `${at}/comments/:comment`;
export const requestRoutes: readonly Route[] = [
  // Without the slash it is 308 (F23).
  { method: "GET", path: "/api/requests/", accepts, run: (context) => list(context, false) },
  { method: "GET", path: "/api/user/requests", accepts, run: (context) => list(context, true) },
  { method: "GET", path: at, accepts, run: (context) => jsonAnswer(presentRequest(context, requireRequest(context))) },
  { method: "GET", path: `${at}/timeline`, accepts, run: timeline },
  { method: "GET", path: `${at}/lock`, accepts, run: (context) => lock(context, true) },
  { method: "GET", path: `${at}/unlock`, accepts, run: (context) => lock(context, false) },
  { method: "POST", path: `${at}/actions/:action`, accepts, run: act },
  { method: "POST", path: `${at}/comments`, accepts, run: createComment },
  {
    method: "GET",
    path: comment,
    accepts,
    run: (context) => {
      const found = requireComment(context);
      return jsonAnswer(presentComment(context, found.request, found.comment));
    },
  },
  { method: "PUT", path: comment, accepts, run: updateComment },
  { method: "DELETE", path: comment, accepts, run: deleteComment },
  { method: "POST", path: `${comment}/reply`, accepts, run: reply },
  { method: "GET", path: `${comment}/replies`, accepts, run: replies },
];
