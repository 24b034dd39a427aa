import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CommentAbout } from "../../shared/comments/about.schema.ts";
import type { CommentDraft } from "../../shared/comments/comment-draft.schema.ts";
import { queryClient } from "./query-client.ts";
import type { Envelope } from "./record-types.ts";
import { ApiFailure, call, get } from "./request.ts";
import type { RequestEvent, RequestStatus, ReviewRequest, UserView } from "./request-types.ts";

export interface RequestSearch {
  q: string;
  /** `user:<id>`: requests to or by that user. */
  receiver?: string;
  created_by?: string;
  /** `user:<id>`: requests that wait for that user's review or changes. */
  waits_for?: string;
  changes_requested?: boolean;
  status?: RequestStatus;
}

const pageSize = 25;

/** Requests that the user may read, page by page. */
export const requestsQuery = (search: RequestSearch) =>
  infiniteQueryOptions({
    queryKey: ["requests", search],
    queryFn: ({ pageParam }) => {
      const params = new URLSearchParams({ expand: "1", size: String(pageSize), page: String(pageParam) });
      for (const [name, value] of Object.entries(search))
        if (value !== "" && value !== undefined) params.set(name, String(value));
      if (!search.q) params.set("sort", "newestactivity");
      return get<Envelope<ReviewRequest>>(`/api/requests?${params}`);
    },
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.hits.total > pages.length * pageSize ? pages.length + 1 : undefined),
    placeholderData: (before) => before,
  });

/** Number of requests that wait for this user's review or changes. */
export const waitingCountQuery = (me: string) =>
  queryOptions({
    queryKey: ["requests", "waiting", me],
    queryFn: async () => (await get<Envelope<ReviewRequest>>(`/api/requests?waits_for=user:${me}&size=1`)).hits.total,
  });

/** Topics of the latest requests: drafts to review, and objects with comments. */
export const topicsQuery = (me: string | undefined) =>
  queryOptions({
    queryKey: ["requests", "topics", me],
    queryFn: async () => {
      const { hits } = (await get<Envelope<ReviewRequest>>("/api/requests?size=200&sort=newestactivity")).hits;
      const topics = (of: ReviewRequest[]) => [...new Set(of.map(({ topic }) => topic.record))];
      return {
        asked: topics(hits.filter(({ is_open, reviewers }) => is_open && reviewers.some(({ user }) => user === me))),
        commented: topics(hits.filter(({ last_reply }) => last_reply !== null)),
      };
    },
  });

export const requestQuery = (id: string) =>
  queryOptions({ queryKey: ["request", id], queryFn: () => get<ReviewRequest>(`/api/requests/${id}?expand=1`) });

const timelineSize = 50;

/** The review of a draft, a queued one too. */
export const draftReviewQuery = (draftId: string) =>
  queryOptions({
    queryKey: ["draft", draftId, "review"],
    queryFn: () => get<ReviewRequest>(`/api/records/${draftId}/draft/review`),
  });

/** The timeline page that holds a comment (requests 8). */
export const focusedPageQuery = (id: string, event: string | undefined) =>
  queryOptions({
    queryKey: ["request", id, "focus", event],
    queryFn: async () =>
      event
        ? ((
            await get<Envelope<RequestEvent>>(
              `/api/requests/${id}/timeline_focused?focus_event_id=${event}&size=${timelineSize}`,
            )
          ).page ?? 1)
        : 1,
  });

/** The timeline in both directions from a page, oldest first. */
export const timelineQuery = (id: string, from: number) =>
  infiniteQueryOptions({
    queryKey: ["request", id, "timeline", from],
    queryFn: ({ pageParam }) =>
      get<Envelope<RequestEvent>>(`/api/requests/${id}/timeline?page=${pageParam}&size=${timelineSize}&expand=1`),
    initialPageParam: from,
    getNextPageParam: (last, _pages, page) => (last.hits.total > page * timelineSize ? page + 1 : undefined),
    getPreviousPageParam: (_first, _pages, page) => (page > 1 ? page - 1 : undefined),
  });
/** Comments on fields and files of the topic, oldest first. */
export const placeCommentsQuery = (id: string) =>
  queryOptions({
    queryKey: ["request", id, "places"],
    queryFn: async () => {
      const params = new URLSearchParams({
        q: "_exists_:about.field OR _exists_:about.file",
        size: "1000",
        expand: "1",
      });
      const found = await get<Envelope<RequestEvent>>(`/api/requests/${id}/timeline?${params}`);
      return found.hits.hits.filter(({ type }) => type === "C");
    },
  });
/** The newest events of a conversation, newest first. */
export const newestEventsQuery = (id: string) =>
  queryOptions({
    queryKey: ["request", id, "newest"],
    queryFn: () => get<Envelope<RequestEvent>>(`/api/requests/${id}/timeline?sort=newest&size=100&expand=1`),
  });

/** The people who review, members of groups included; 503 without the server. */
export const reviewingQuery = (id: string) =>
  queryOptions({
    queryKey: ["request", id, "reviewing"],
    queryFn: async () => (await get<Envelope<UserView>>(`/api/requests/${id}/reviewers`)).hits.hits,
    retry: false,
  });

export const repliesQuery = (id: string, comment: string) =>
  queryOptions({
    queryKey: ["request", id, "replies", comment],
    queryFn: () => get<Envelope<RequestEvent>>(`/api/requests/${id}/comments/${comment}/replies?size=100&expand=1`),
  });

/** The payload of a comment; undefined without text, which an action allows. */
const payloadOf = ({ content, files }: CommentDraft) => {
  if (!content) return {};
  const attached = files.length > 0 ? { files: files.map(({ id }) => ({ file_id: id })) } : {};
  return { body: { payload: { content, format: "html", ...attached } } };
};

async function refresh(id: string) {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["request", id] }),
    queryClient.invalidateQueries({ queryKey: ["requests"] }),
    queryClient.invalidateQueries({ queryKey: ["library"] }),
    queryClient.invalidateQueries({ queryKey: ["draft"] }),
  ]);
}

/** A user or a group, as a request names its reviewers. */
export type Reviewer = Pick<ReviewRequest["reviewers"][number], "user" | "group">;

/** Chooses a draft's reviewers, the first person as receiver. Does not submit the request yet (requests 4.1). */
export async function prepareReview(draftId: string, named: readonly Reviewer[]): Promise<ReviewRequest> {
  const reviewers = named.map(({ user, group }) => (user === undefined ? { group } : { user }));
  const body = { type: "default-request", receiver: reviewers.find(({ user }) => user !== undefined), reviewers };
  return (await call<ReviewRequest>("PUT", `/api/records/${draftId}/draft/review`, { body })).body;
}
/** Chooses the community of an InvenioRDM that reviews a draft, by its short name. */
export async function chooseCommunity(draftId: string, community: string): Promise<void> {
  const body = { type: "community-submission", receiver: { community } };
  await call("PUT", `/api/records/${draftId}/draft/review`, { body });
}
export async function submitReview(draftId: string, comment: string): Promise<ReviewRequest> {
  const { body } = await call<ReviewRequest>(
    "POST",
    `/api/records/${draftId}/draft/actions/submit-review`,
    payloadOf({ content: comment, files: [] }),
  );
  await refresh(body.id);
  return body;
}

export type RequestAction = "submit" | "accept" | "decline" | "cancel" | "request-changes" | "request-review";

/** Acts on a request. Offline the answer has `sync` and the earlier status (hosts-and-sync 3). */
export async function actOnRequest(id: string, action: RequestAction, comment: CommentDraft): Promise<ReviewRequest> {
  const { body } = await call<ReviewRequest>("POST", `/api/requests/${id}/actions/${action}`, payloadOf(comment));
  await refresh(id);
  return body;
}
export async function addComment(id: string, comment: CommentDraft, parent?: string) {
  const path = parent ? `/api/requests/${id}/comments/${parent}/reply` : `/api/requests/${id}/comments`;
  const { body } = await call<RequestEvent>("POST", path, payloadOf(comment));
  await refresh(id);
  return body;
}
/** Comments on a field or a file of the topic. */
export async function addPlaceComment(id: string, about: CommentAbout, comment: CommentDraft) {
  const body = { ...payloadOf(comment).body, about };
  const answer = await call<RequestEvent>("POST", `/api/requests/${id}/comments`, { body });
  await refresh(id);
  return answer.body;
}
/** Marks a comment on a field or file as settled, or opens it again. */
export async function setResolved(id: string, comment: string, isResolved: boolean) {
  await call("POST", `/api/requests/${id}/comments/${comment}/${isResolved ? "resolve" : "reopen"}`);
  await refresh(id);
}
/** Edits a comment. Its files become exactly these; others are deleted (requests 9). */
export async function editComment(id: string, comment: string, { content, files }: CommentDraft) {
  const payload = { content, format: "html", files: files.map((file) => ({ file_id: file.id })) };
  await call("PUT", `/api/requests/${id}/comments/${comment}`, { body: { payload } });
  await refresh(id);
}
export async function deleteComment(id: string, comment: string) {
  await call("DELETE", `/api/requests/${id}/comments/${comment}`);
  await refresh(id);
}

export async function addReviewer(id: string, reviewer: Reviewer) {
  await call("POST", `/api/requests/${id}/reviewers`, { body: reviewer });
  await refresh(id);
}
/** @param who `user:<id>` or `group:<name>`. */
export async function removeReviewer(id: string, who: string) {
  await call("DELETE", `/api/requests/${id}/reviewers/${encodeURIComponent(who)}`);
  await refresh(id);
}

/** Whether a conversation is locked or unlocked already, as by another window (requests 10). */
const isSoAlready = (error: unknown): boolean =>
  error instanceof ApiFailure && /^The request is already (un)?locked\.$/.test(error.original);

/** Locks or unlocks a conversation on the server: offline 503 (requests 10, hosts-and-sync 3). */
export async function setLocked(id: string, isLocked: boolean) {
  await call("POST", `/api/requests/${id}/${isLocked ? "lock" : "unlock"}`).catch((error) => {
    if (!isSoAlready(error)) throw error;
  });
  await refresh(id);
}
