import { type Browser, expect, type Page, test } from "@playwright/test";
import { cleanComment } from "../../shared/comments/comment-html.ts";
import { vectors } from "../rules/xss-vectors.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow, type Person } from "./desk.ts";
import { givenSample } from "./samples.ts";
import { touchEverything, watchEffects } from "./touch.ts";

const origin = "http://comments.test";

/** Serves a page of sections without any policy. */
async function openSections(page: Page, sections: readonly string[]): Promise<void> {
  const parts = sections.map((section) => `<section>${section}</section>`);
  const body = `<!doctype html><meta charset=utf-8><title>kept</title>${parts.join("\n")}`;
  await page.route(`${origin}/**`, (route) => route.abort());
  await page.route(`${origin}/`, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(origin);
}

test("a cleaned comment runs no code in a browser when opened, hovered, clicked or focused (requests 7)", async ({
  page,
}) => {
  const effects = await watchEffects(page, origin);
  await openSections(page, vectors.map(cleanComment));
  expect(await page.evaluate(touchEverything("section"))).toEqual({ doubtful: [], foreign: 0 });
  await expect(page).toHaveTitle("kept");
  expect(await page.locator("section").count()).toBe(vectors.length);
  expect(effects).toEqual([]);
});

test("the same markup runs code without the cleaner, so the test above can fail", async ({ page }) => {
  const effects = await watchEffects(page, origin);
  await openSections(page, [
    "<p onclick='alert(\"handler\")'>t</p>",
    "<script src='https://example.org/x.js'></script>",
    "<iframe src='about:blank'></iframe>",
    "<img src='https://example.org/x.png'>",
  ]);
  await page.evaluate(touchEverything("section"));
  await expect.poll(() => effects.toSorted()).toEqual(["dialog handler", "frame", "script https://example.org/x.js"]);
});

/**
 * A request in whose conversation every vector is a comment; what has no words once cleaned is refused and left out.
 */
async function givenVectors(author: Person, reviewer: Person): Promise<{ id: string; contents: Map<string, string> }> {
  const draft = `/api/records/${await givenSample(author.server, 0, { isPublished: false })}/draft`;
  const { id } = (await author.server.put(`${draft}/review`, { receiver: { user: reviewer.id } })).body;
  await author.server.post(`${draft}/actions/submit-review`);
  const contents = new Map<string, string>();
  const write = async (vector: string) => {
    const say = (content: string) => author.server.post(`/api/requests/${id}/comments`, { payload: { content } });
    const answer = await say(vector);
    contents.set((answer.status === 400 ? await say("nothing left") : answer).body.id, vector);
  };
  for (let from = 0; from < vectors.length; from += 20) await Promise.all(vectors.slice(from, from + 20).map(write));
  return { id, contents };
}

/** Opens all of the conversation on the page and touches everything in it. */
async function touchConversation(page: Page): Promise<void> {
  // Plain selectors: finding roles and names among hundreds of comments takes seconds each time.
  const later = page.locator("button", { hasText: "Show later" });
  const articles = page.locator("article");
  await expect(articles.first()).toBeVisible();
  while (await later.isVisible()) {
    const shown = await articles.count();
    await later.click();
    await expect.poll(() => articles.count()).toBeGreaterThan(shown);
  }
  await expect(articles).toHaveCount(vectors.length);
  expect(await page.evaluate(touchEverything("[data-quotable]"))).toEqual({ doubtful: [], foreign: 0 });
  await expect(page).toHaveTitle(/· Carrel$/);
}

/** The conversation with every vector, on a replica that holds all of it, and a window that is watched. */
async function openVectors(browser: Browser) {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const { id, contents } = await givenVectors(karin, paolo);
  const replica = await desk.replica(paolo);
  const near = new HttpClient(replica.url, replica.guard.secret);
  const held = async () => (await near.get(`/api/requests/${id}/timeline?size=1`)).body.hits?.total;
  await expect.poll(held).toBe(vectors.length);
  const isQuiet = async () => (await near.get("/api/sync/status")).body.state;
  await expect.poll(isQuiet).toBe("up_to_date");
  const { page, faults } = await openWindow(browser, replica);
  const effects = await watchEffects(page, new URL(replica.url).origin);
  const show = async () => {
    await page.goto(`${replica.url}/me/requests/${id}`);
    await touchConversation(page);
  };
  return { desk, replica, contents, effects, faults, show };
}

test("no comment runs code in the app's timeline, even if the API had not cleaned it (requests 7)", async ({
  browser,
}) => {
  const { desk, replica, contents, effects, faults, show } = await openVectors(browser);
  await show();
  expect({ effects, faults }).toEqual({ effects: [], faults: [] });
  for (const [event, content] of contents)
    await replica.host.db.updateTable("event").set({ content }).where("id", "=", event).execute();
  await show();
  expect(effects).toEqual([]);
  // Some browsers report what the policy refuses while the page takes raw markup apart. A refusal is a success.
  expect(faults.filter((fault) => !fault.startsWith("policy: "))).toEqual([]);
  await desk.close();
});
