import { describe, expect, test } from "vitest";
import { FormBrowser } from "../support/browser-forms.ts";
import { arrive, grace, linkIn, startSite, textOf, titleOf, whoIs } from "../support/provider-site.ts";

describe("new accounts with a provider (web 9)", () => {
  test("an invitation is accepted with a provider; `linked` providers are not offered there", async () => {
    const site = await startSite({ accounts: "invited" });
    await (await site.api.as("admin")).post("/api/invitations", { email: "hopper@navy.example" });
    const path = linkIn((await site.box.first(1))[0]?.text);
    const browser = new FormBrowser(site.api.server.url);
    const page = await browser.open(path);
    expect(textOf(page)).not.toContain("Continue with Other");
    const start = /href="(\/sign-in\/uni\?invitation=[^"]+)"/.exec(page.text)?.[1] ?? "";
    expect((await arrive(site, browser, start)).to).toBe("/sign-in/link");
    const form = await browser.open("/sign-in/link");
    expect(textOf(form)).toContain("hopper@navy.example");
    expect(form.text).toContain('value="Grace Hopper"');
    const taken = await browser.send("/sign-in/link", { step: "create", username: "ada", full_name: "G" });
    expect([taken.status, textOf(taken)]).toEqual([400, expect.stringContaining("in use already")]);
    const done = await browser.send("/sign-in/link", { step: "create", username: "grace", full_name: "Grace Hopper" });
    expect(done.headers.get("location")).toBe("/");
    const me = await site.api.anonymous.get("/api/me", { headers: browser.csrf });
    expect(me.body).toMatchObject({ username: "grace", email: "hopper@navy.example", confirmed: true });
    expect((await browser.open(path)).status).toBe(404);
    const kept = await site.api.anonymous.get("/api/user/identities", { headers: browser.csrf });
    expect(kept.body.hits.hits).toMatchObject([{ may_remove: false }]);
  });

  test("a `linked` provider creates no account, even for who has an invitation (issue 15)", async () => {
    const site = await startSite({ accounts: "linked" });
    await (await site.api.as("admin")).post("/api/invitations", { email: "hopper@navy.example" });
    const path = linkIn((await site.box.first(1))[0]?.text);
    const browser = new FormBrowser(site.api.server.url);
    await arrive(site, browser, `/sign-in/uni?invitation=${path.split("/").at(-1)}`);
    expect(textOf(await browser.open("/sign-in/link"))).not.toContain("hopper@navy.example");
    const refused = await browser.send("/sign-in/link", { step: "create", username: "grace", full_name: "G" });
    expect(refused.status).toBe(400);
    expect(await whoIs(site, browser)).toBeUndefined();
    expect((await browser.open(path)).status).toBe(200);
  });

  test("an address is one mailbox: with signs that mail programs take out, nobody is flooded (issue 15)", async () => {
    const site = await startSite({ accounts: "anyone" });
    const browser = new FormBrowser(site.api.server.url);
    await arrive(site, browser);
    const names = { step: "new", username: "grace", full_name: "" };
    for (const email of [
      "x,ada@victim.example",
      "x;ada@victim.example",
      "x<ada@victim.example>",
      "(x)ada@victim.example",
    ]) {
      const refused = await browser.send("/sign-in/link", { ...names, email });
      expect([refused.status, textOf(refused)]).toEqual([400, expect.stringContaining("Not a valid email address.")]);
    }
    await browser.send("/sign-in/link", { ...names, email: "o'neil+x@müller.example" });
    expect((await site.box.first(1))[0]?.to).toMatch(/^o'neil\+x@/);
  });

  test("with `anyone`, a new user gives name and address, confirms the address by mail, then signs in by the provider alone", async () => {
    const site = await startSite({ accounts: "anyone" });
    const browser = new FormBrowser(site.api.server.url);
    await arrive(site, browser);
    const names = { step: "new", username: "grace", full_name: "Grace" };
    const wrong = await browser.send("/sign-in/link", { ...names, email: "no address" });
    expect([wrong.status, textOf(wrong)]).toEqual([400, expect.stringContaining("Not a valid email address.")]);
    const sent = await browser.send("/sign-in/link", { ...names, email: "Hopper@navy.example" });
    expect([sent.status, titleOf(sent)]).toEqual([200, "Look into your mail"]);
    const [mail] = await site.box.first(1);
    expect(mail).toMatchObject({ to: "hopper@navy.example", text: expect.stringContaining("grace@uni.example") });
    const stranger = new FormBrowser(site.api.server.url);
    const path = linkIn(mail?.text);
    expect(textOf(await stranger.open(path))).toContain("hopper@navy.example");
    expect(await whoIs(site, browser)).toBeUndefined();
    // The second press of the button, and the link that is opened again, lead on as the first one did (issue 18).
    for (const page of [await stranger.send(path, {}), await stranger.send(path, {}), await stranger.open(path)]) {
      expect([page.status, titleOf(page)]).toEqual([200, "The account was created"]);
      expect(page.text).toContain('href="/sign-in/uni">Continue with Example University</a>');
    }
    expect(await whoIs(site, stranger)).toBeUndefined();
    await site.api.server.host.db.updateTable("account_link").set({ ended_at: 1 }).execute();
    expect((await stranger.send(path, {})).status).toBe(404);
    expect((await arrive(site, browser)).to).toBe("/");
    expect(await whoIs(site, browser)).toBe("grace");
  });

  test("who came from a page of a record gets back to it after the address was confirmed", async () => {
    const site = await startSite({ accounts: "anyone" });
    const browser = new FormBrowser(site.api.server.url);
    await arrive(site, browser, "/sign-in/uni?next=/records/abcde-12345");
    await browser.send("/sign-in/link", {
      ...{ step: "new", username: "grace", full_name: "Grace" },
      email: "hopper@navy.example",
    });
    const path = linkIn((await site.box.first(1))[0]?.text);
    const onward = "/sign-in/uni?next=%2Frecords%2Fabcde-12345";
    for (const page of [await browser.send(path, {}), await browser.open(path)]) {
      expect(page.text).toContain(`href="${onward}">Continue with Example University</a>`);
    }
    expect((await arrive(site, browser, onward)).to).toBe("/records/abcde-12345");
  });

  test("an address with an account gets another mail, and the same page", async () => {
    const site = await startSite({ accounts: "anyone" });
    const browser = new FormBrowser(site.api.server.url);
    await arrive(site, browser);
    const names = { step: "new", username: "grace", full_name: "" };
    const sent = await browser.send("/sign-in/link", { ...names, email: "ada@example.org" });
    expect(titleOf(sent)).toBe("Look into your mail");
    const [mail] = await site.box.first(1);
    expect(mail).toMatchObject({ subject: expect.stringMatching(/^You have an account at/) });
    expect(mail?.text).not.toContain("/confirm-email/");
  });

  test("a provider decides on the addresses of its domains alone, and only on verified ones", async () => {
    const site = await startSite(
      { accounts: "anyone", email_domains: ["example.org"] },
      { ...grace, email: "ada@example.org" },
    );
    const ada = new FormBrowser(site.api.server.url);
    expect((await arrive(site, ada)).to).toBe("/");
    expect(await whoIs(site, ada)).toBe("ada");
    site.provider.state.account = { ...grace, sub: "g2", email: "bob@example.org", email_verified: false };
    expect((await arrive(site, new FormBrowser(site.api.server.url))).to).toBe("/sign-in/link");
    site.provider.state.account = { ...grace, sub: "g3", email: "new@example.org" };
    const newcomer = new FormBrowser(site.api.server.url);
    await arrive(site, newcomer);
    expect(textOf(await newcomer.open("/sign-in/link"))).toContain("For new@example.org");
    await newcomer.send("/sign-in/link", { step: "create", username: "nell", full_name: "" });
    expect(await whoIs(site, newcomer)).toBe("nell");
  });
});
