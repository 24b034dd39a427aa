import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";

const password = "a horse of many stables";

test("a user name that looks like another one is taken; it signs in however it is typed (requests 2.3)", async () => {
  const api = await startApi();
  const admin = await api.as("admin");
  const { body } = await admin.post("/api/invitations", { email: "jose@example.org" });
  const path = new URL(body.link).pathname;
  const browser = new FormBrowser(api.server.url);
  await browser.open(path);
  const wide = "\uff41dmin";
  const taken = await browser.send(path, { username: wide, full_name: "", password });
  expect([taken.status, taken.text]).toEqual([400, expect.stringContaining("in use already")]);
  expect((await browser.send(path, { username: "jose\u0301", full_name: "", password })).status).toBe(303);
  const signIn = (username: string, sent: string) => api.anonymous.post("/api/login", { username, password: sent });
  for (const typed of ["jos\u00e9", "jose\u0301"]) {
    expect(await signIn(typed, password)).toMatchObject({ status: 200, body: { username: "jos\u00e9" } });
  }
  for (const typed of ["jos\u00e9", "jose\u0301", "\uff4aos\u00e9", "\uff4aose\u0301", "jos\u00e9"]) {
    expect((await signIn(typed, "a wrong one")).status).toBe(401);
  }
  expect((await signIn("\uff4a\uff4fse\u0301", "a wrong one")).status).toBe(429);
});
