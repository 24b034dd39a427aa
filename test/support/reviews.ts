import { expect } from "vitest";
import type { Api } from "./api.ts";

/** A draft that can be published. */
export const publishable = (title = "Deep sea core 12") => ({
  access: { record: "public", files: "public" },
  files: { enabled: false },
  metadata: {
    title,
    publication_date: "2026-11-20",
    resource_type: { id: "dataset" },
    creators: [{ person_or_org: { type: "personal", family_name: "Mohr", given_name: "Ada" } }],
  },
});

/** Creates a draft of a user. */
export async function givenDraft(api: Api, owner: string, body: unknown = publishable()): Promise<string> {
  const answer = await (await api.as(owner)).post("/api/records", body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

export interface GivenReview {
  draft: string;
  request: string;
}

/** Creates a draft with a review that is not submitted. */
export async function givenReview(api: Api, owner: string, receiver: string, title?: string): Promise<GivenReview> {
  const draft = await givenDraft(api, owner, publishable(title));
  const body = { receiver: { user: await api.idOf(receiver) }, type: "default-request" };
  const answer = await (await api.as(owner)).put(`/api/records/${draft}/draft/review`, body);
  expect(answer.status, answer.text).toBe(200);
  return { draft, request: answer.body.id };
}

/** Creates a draft under review. */
export async function givenSubmitted(api: Api, owner: string, receiver: string, title?: string): Promise<GivenReview> {
  const given = await givenReview(api, owner, receiver, title);
  const answer = await (await api.as(owner)).post(`/api/requests/${given.request}/actions/submit`);
  expect(answer.status, answer.text).toBe(200);
  return given;
}

export const comment = (content: string, more: Record<string, unknown> = {}) => ({
  payload: { content, format: "html", ...more },
});

/** Creates a comment of a user. @returns its id. */
export async function givenComment(api: Api, who: string, request: string, content: string): Promise<string> {
  const answer = await (await api.as(who)).post(`/api/requests/${request}/comments`, comment(content));
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

/** Lines of a timeline, as `C text` or `L event`. */
export async function linesOf(api: Api, who: string, request: string): Promise<string[]> {
  const { body } = await (await api.as(who)).get(`/api/requests/${request}/timeline?size=100`);
  return body.hits.hits.map((event: { type: string; payload: { content?: string; event?: string } }) =>
    event.type === "C" ? `C ${event.payload.content}` : `L ${event.payload.event}`,
  );
}
