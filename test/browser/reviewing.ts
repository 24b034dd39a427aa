import type { Page } from "@playwright/test";
import type { Person } from "./desk.ts";
import { givenSample } from "./samples.ts";

/** Creates a request of the depositor that waits for the reviewer. @returns its id. */
export async function givenReview({ server }: Person, reviewer: Person): Promise<string> {
  const path = `/api/records/${await givenSample(server, 0, { isPublished: false })}/draft`;
  const { body } = await server.put(`${path}/review`, { receiver: { user: reviewer.id } });
  await server.post(`${path}/actions/submit-review`);
  return body.id;
}

/** The editor of a comment. */
export const comment = (page: Page) => page.getByRole("textbox", { name: "Comment", exact: true });

/** The comment with this text. */
export const commentWith = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });

/** The body of a comment with one paragraph. */
export const words = (content: string) => ({ payload: { content: `<p>${content}</p>`, format: "html" } });
