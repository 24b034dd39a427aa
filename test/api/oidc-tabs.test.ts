import { describe, expect, test } from "vitest";
import { FormBrowser } from "../support/browser-forms.ts";
import {
  arrive,
  fieldsIn,
  link,
  password,
  startSite,
  textOf,
  titleOf,
  travel,
  whoIs,
} from "../support/provider-site.ts";

describe("signing in with a provider in several tabs (web 9, issue 18)", () => {
  test("two tabs of a browser sign in at once, each to its page (issue 18)", async () => {
    const site = await startSite();
    await link(site, new FormBrowser(site.api.server.url), "ada");
    const browser = new FormBrowser(site.api.server.url);
    const tabs = [];
    for (const n of [1, 2, 3, 4]) tabs.push(await travel(site, browser, `/sign-in/uni?next=/records/${n}`));
    const [first = "", ...kept] = tabs;
    // Only so many fit into a cookie; the others go on.
    expect((await browser.open(first)).status).toBe(400);
    for (const [at, tab] of kept.entries())
      expect((await browser.open(tab)).headers.get("location")).toBe(`/records/${at + 2}`);
    // Each comes back once.
    for (const gone of kept) expect((await browser.open(gone)).status).toBe(400);
    const far = `/search?q=${"x".repeat(4000)}`;
    expect((await arrive(site, new FormBrowser(site.api.server.url), `/sign-in/uni?next=${far}`)).to).toBe("/");
  });

  test("the page to link an account: another tab signed out or in as somebody else, or the button is pressed twice (issue 18)", async () => {
    const site = await startSite();
    const browser = new FormBrowser(site.api.server.url);
    await browser.send("/sign-in", { account: "ada", password });
    await arrive(site, browser, "/sign-in/uni?next=/account");
    const page = await browser.open("/sign-in/link");
    expect(page.text).toContain("account “ada”");
    await browser.send("/sign-out", {});
    const unsigned = await browser.send("/sign-in/link", fieldsIn(page.text));
    expect([unsigned.status, textOf(unsigned)]).toEqual([200, expect.stringContaining('value="password"')]);
    await browser.send("/sign-in", { account: "bob", password });
    const bobs = await browser.send("/sign-in/link", fieldsIn(page.text));
    expect([bobs.status, textOf(bobs)]).toEqual([200, expect.stringContaining("account “bob”")]);
    const linked = async () =>
      (await site.api.anonymous.get("/api/user/identities", { headers: browser.csrf })).body.hits.total;
    expect(await linked()).toBe(0);
    const twice = new FormBrowser(site.api.server.url, browser.cookies());
    expect((await browser.send("/sign-in/link", fieldsIn(bobs.text))).headers.get("location")).toBe("/account");
    expect((await twice.send("/sign-in/link", fieldsIn(bobs.text))).headers.get("location")).toBe("/account");
    expect((await browser.send("/sign-in/link", fieldsIn(bobs.text))).headers.get("location")).toBe("/account");
    expect(await linked()).toBe(1);

    site.provider.state.isDenied = true;
    const cancelled = await browser.open(await travel(site, browser, "/sign-in/uni?next=/account"));
    expect([cancelled.status, titleOf(cancelled)]).toEqual([400, "Nothing was changed"]);
    expect(cancelled.text).toContain('href="/account">Your account</a>');
  });

  test("a button that is pressed twice before the first answer comes lets the user in, too (issue 18)", async () => {
    for (const change of [{ accounts: "anyone", email_domains: ["uni.example"] }, {}]) {
      const site = await startSite(change);
      const browser = new FormBrowser(site.api.server.url);
      await arrive(site, browser);
      const isNew = "accounts" in change;
      const who: Record<string, string> = isNew ? { username: "grace", full_name: "" } : { account: "ada", password };
      const fields = { step: isNew ? "create" : "password", ...who };
      const twice = new FormBrowser(site.api.server.url, browser.cookies());
      for (const one of [browser, twice])
        expect((await one.send("/sign-in/link", fields)).headers.get("location")).toBe("/");
      expect(await whoIs(site, twice)).toBe(isNew ? "grace" : "ada");
    }
  });
});
