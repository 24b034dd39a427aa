import { queryOptions } from "@tanstack/react-query";
import type { CommentDraft } from "../../shared/comments/comment-draft.schema.ts";
import { call, get } from "./request.ts";

const pathOf = (request: string, place: string) => `/api/sync/comment-drafts/${request}${place ? `/${place}` : ""}`;

/** Maximum size that a browser sends while a window closes. */
const maxWhileLeaving = 60_000;

// Requests run one at a time, so that texts arrive in order and no read overtakes a write.
let exchanges: Promise<unknown> = Promise.resolve();
function inOrder<T>(exchange: () => Promise<T>): Promise<T> {
  const done = exchanges.then(exchange);
  exchanges = done.catch(() => undefined);
  return done;
}

const holds = new Map<string, Promise<unknown>>();

/**
 * Delays reading an editor's stored text while its comment is being sent, because the text would appear twice.
 * @returns ends the delay, after the rest was passed to `keepCommentDraft`.
 */
export function holdCommentDraft(request: string, place: string): () => void {
  const path = pathOf(request, place);
  const { promise, resolve } = Promise.withResolvers<void>();
  holds.set(path, Promise.all([holds.get(path), promise]));
  return resolve;
}

const readers = new Map<string, Set<(kept: CommentDraft) => void>>();

/** Calls `onRead` with the stored text of an editor after each read, before anything else is stored. */
export function onCommentDraftRead(request: string, place: string, onRead: (kept: CommentDraft) => void): () => void {
  const path = pathOf(request, place);
  const all = readers.get(path) ?? new Set();
  readers.set(path, all.add(onRead));
  return () => {
    all.delete(onRead);
  };
}

async function readCommentDraft(request: string, place: string): Promise<CommentDraft> {
  const path = pathOf(request, place);
  await holds.get(path);
  return inOrder(async () => {
    const kept = await get<CommentDraft>(path);
    for (const onRead of readers.get(path) ?? []) onRead(kept);
    return kept;
  });
}

/** The unsent text of an editor. Read again each time, and after another window changed it. */
export const commentDraftQuery = (request: string, place: string) =>
  queryOptions({
    queryKey: ["comment-draft", request, place],
    queryFn: () => readCommentDraft(request, place),
    staleTime: 0,
    gcTime: 0,
  });

export interface UnsentContent {
  draft: CommentDraft;
  /** The stored content that this window last saw. */
  base: CommentDraft;
}

export interface Keeping {
  /** Called when the request is sent, because an answer to an earlier one changes both. Undefined: nothing to store. */
  content: () => UnsentContent | undefined;
  /** Called with the stored content, including changes of other windows. */
  onKept: (sent: CommentDraft, kept: CommentDraft) => void;
  /** The window is closing: send at once. */
  isLeaving: boolean;
}

/** Stores the content of an editor. */
export function keepCommentDraft(request: string, place: string, { content, onKept, isLeaving }: Keeping) {
  const put = async () => {
    const unsent = content();
    if (!unsent) return;
    const { draft, base } = unsent;
    const body = { ...draft, base };
    const keepalive = isLeaving && new Blob([JSON.stringify(body)]).size < maxWhileLeaving;
    onKept(draft, (await call<CommentDraft>("PUT", pathOf(request, place), { body, keepalive })).body);
  };
  return isLeaving ? put() : inOrder(put);
}

/** Appends text and files to the stored content of a closed editor. */
export async function addToCommentDraft(request: string, place: string, { content, files }: CommentDraft) {
  const kept = await readCommentDraft(request, place);
  const draft = { content: kept.content + content, files: [...kept.files, ...files] };
  const keeping = { content: () => ({ draft, base: kept }), onKept: () => undefined, isLeaving: false };
  await keepCommentDraft(request, place, keeping);
}
