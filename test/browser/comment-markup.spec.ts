import { expect, test } from "@playwright/test";
import { cleanComment } from "../../shared/comments/comment-html.ts";
import { vectors } from "../rules/xss-vectors.ts";

/** Runs in the page: what looks active there, after every element was touched in every way. */
const touchEverything = `(() => {
  const doubtful = [];
  for (const element of document.querySelectorAll("section *")) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "style") doubtful.push(element.tagName + " " + name + "=" + value);
    }
    const address = element.href || element.src;
    if (address && !/^(https?|mailto):/.test(address)) doubtful.push(element.tagName + " " + address);
    element.addEventListener("click", (event) => event.preventDefault());
    for (const kind of ["mouseover", "focus", "click", "error", "load", "toggle", "animationstart", "pointerover"]) {
      element.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
    }
  }
  return { doubtful, foreign: document.querySelectorAll("section :is(script, style, svg, iframe, form)").length };
})()`;

test("nothing of a cleaned comment runs in a browser, opened, hovered, clicked or focused (requests 7)", async ({
  page,
}) => {
  const faults: string[] = [];
  page.on("dialog", async (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  const sections = vectors.map((vector) => `<section>${cleanComment(vector)}</section>`);
  const body = `<!doctype html><meta charset=utf-8><title>kept</title>${sections.join("\n")}`;
  await page.route("**/*", (route) => route.abort());
  await page.route("http://comments.test/", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto("http://comments.test/");
  expect(await page.evaluate(touchEverything)).toEqual({ doubtful: [], foreign: 0 });
  await expect(page).toHaveTitle("kept");
  expect(await page.locator("section").count()).toBe(vectors.length);
  expect(faults).toEqual([]);
});
