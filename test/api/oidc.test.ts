import { describe, expect, test } from "vitest";
import { newUser } from "../../shared/users/user.schema.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { HttpClient } from "../support/http-client.ts";
import {
  arrive,
  fieldsIn,
  grace,
  link,
  password,
  pathOf,
  startSite,
  textOf,
  titleOf,
  travel,
  whoIs,
} from "../support/provider-site.ts";

describe("signing in with a provider (web 9)", () => {
  test("an unknown account gets a message; linked by password once, it signs in from then on", async () => {
    const site = await startSite();
    const browser = new FormBrowser(site.api.server.url);
    expect((await browser.open("/sign-in?next=/records/abc")).text).toContain(
      'href="/sign-in/uni?next=%2Frecords%2Fabc"',
    );
    const { to } = await arrive(site, browser, "/sign-in/uni?next=%2Frecords%2Fabc");
    expect(to).toBe("/sign-in/link");
    const page = await browser.open("/sign-in/link");
    expect(titleOf(page)).toBe("Example University is not linked to an account here");
    expect(textOf(page)).toContain("grace@uni.example");
    expect(textOf(page)).not.toContain("You are new here");
    const wrong = await browser.send("/sign-in/link", { step: "password", account: "ada", password: "wrong one" });
    expect([wrong.status, textOf(wrong)]).toEqual([401, expect.stringContaining("The name or the password is wrong.")]);
    const linked = await browser.send("/sign-in/link", { step: "password", account: "ada", password });
    expect([linked.status, linked.headers.get("location")]).toEqual([303, "/records/abc"]);
    expect(await whoIs(site, browser)).toBe("ada");
    expect((await site.box.first(1))[0]).toMatchObject({
      to: "ada@example.org",
      subject: expect.stringMatching(/^A way to sign in to/),
    });
    const second = new FormBrowser(site.api.server.url);
    expect((await arrive(site, second, "/sign-in/uni?next=/x")).to).toBe("/x");
    expect(await whoIs(site, second)).toBe("ada");
    // It is done: who comes back sees what is linked (issue 18).
    expect((await browser.open("/sign-in/link")).headers.get("location")).toBe("/account");
  });

  test("a wrong state, nonce, issuer, audience or provider, a changed cookie and a replayed code are refused", async () => {
    const site = await startSite();
    const browser = new FormBrowser(site.api.server.url);
    await link(site, browser, "ada");
    const fresh = () => new FormBrowser(site.api.server.url);
    const refused = async (who: FormBrowser, path: string, title = "You are not signed in"): Promise<void> => {
      const page = await who.open(path);
      expect([page.status, titleOf(page)]).toEqual([400, title]);
      expect(page.headers.getSetCookie().some((text) => /session=[^;]/.test(text))).toBe(false);
    };
    const put = (name: string, value: string) => (url: URL) => {
      url.searchParams.set(name, value);
      return url;
    };
    const changed = (path: string, name: string, value: string) =>
      pathOf(put(name, value)(new URL(path, "http://nowhere")).href);

    for (const [name, value] of [
      ["state", "another"],
      ["iss", "https://evil.example"],
      ["code", "made-up"],
    ] as const) {
      const one = fresh();
      await refused(one, changed(await travel(site, one), name, value));
    }
    const other = fresh();
    await refused(other, await travel(site, other, "/sign-in/uni", put("nonce", "another")));
    for (const forge of [
      { iss: "https://evil.example" },
      { aud: "another client" },
      { nonce: "another" },
      { exp: 1 },
    ]) {
      site.provider.state.forge = forge;
      const one = fresh();
      await refused(one, await travel(site, one));
    }
    site.provider.state.forge = undefined;
    const mixed = fresh();
    await refused(mixed, (await travel(site, mixed)).replace("/uni/", "/other/"));
    const without = await travel(site, fresh());
    await refused(fresh(), without);

    const last = fresh();
    const path = await travel(site, last);
    const kept = last.cookies();
    expect((await last.open(path)).status).toBe(303);
    await refused(last, path, "Nothing was changed");
    const thief = new FormBrowser(site.api.server.url, kept);
    await refused(thief, path);
    const tampered = fresh();
    const callback = await travel(site, tampered);
    const [name, value = ""] = [...tampered.cookies()].find(([one]) => one === "sign-in-journey") ?? ["", ""];
    await refused(new FormBrowser(site.api.server.url, new Map([[name, `${value.slice(0, -4)}AAAA`]])), callback);
    const log = await (await site.api.as("admin")).get("/api/audit-logs?action=user.sign-in&size=100");
    const entries: { metadata: { outcome: string; details: object } }[] = log.body.hits.hits;
    const refusals = entries.filter(({ metadata }) => metadata.outcome === "refused");
    expect(refusals.length).toBeGreaterThan(7);
    for (const { metadata } of refusals) expect(metadata.details).toEqual({ provider: "uni" });
  });

  test("the question is bound to the browser by PKCE, state and nonce; the cookie lasts ten minutes, for these pages", async () => {
    const site = await startSite();
    const begun = await new FormBrowser(site.api.server.url).open("/sign-in/uni?next=https://evil.example");
    const asked = new URL(begun.headers.get("location") ?? "").searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    for (const name of ["state", "nonce", "code_challenge"]) expect(asked.get(name)?.length).toBeGreaterThan(40);
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sign-in-journey=[\w-]+; Path=\/sign-in; SameSite=Lax; Max-Age=600; HttpOnly$/),
    ]);
    expect((await new FormBrowser(site.api.server.url).open("/sign-in/nothing")).status).toBe(404);
  });

  test("a second account is linked while signed in, and only by a form; one of another user is refused", async () => {
    const site = await startSite();
    const ada = new FormBrowser(site.api.server.url);
    await link(site, ada, "ada");
    site.provider.state.account = { ...grace, sub: "g2", email: "second@uni.example" };
    expect((await arrive(site, ada, "/sign-in/uni?next=/account")).to).toBe("/sign-in/link");
    const page = await ada.open("/sign-in/link");
    expect(textOf(page)).toContain("second@uni.example");
    expect((await ada.send("/sign-in/link", { step: "here" }, "https://evil.example")).status).toBe(403);
    const form = fieldsIn(page.text);
    expect((await ada.send("/sign-in/link", form)).headers.get("location")).toBe("/account");
    const list = await site.api.anonymous.get("/api/user/identities", { headers: ada.csrf });
    expect(list.body.hits.hits.map(({ label }: { label: string }) => label)).toEqual([
      "grace@uni.example",
      "second@uni.example",
    ]);
    const bob = new FormBrowser(site.api.server.url);
    await bob.send("/sign-in", { account: "bob", password });
    const taken = await arrive(site, bob);
    expect([taken.back.status, textOf(taken.back)]).toEqual([409, expect.stringContaining("another account here")]);
    expect(await whoIs(site, bob)).toBe("bob");
    const [, second] = list.body.hits.hits;
    const gone = await site.api.anonymous.delete(`/api/user/identities/${second.id}`, undefined, { headers: ada.csrf });
    expect(gone.status).toBe(204);
    expect((await arrive(site, new FormBrowser(site.api.server.url))).to).toBe("/sign-in/link");
  });

  test("an address that the provider has not verified is not shown as the name of the account (web 9)", async () => {
    const site = await startSite({}, { ...grace, email: "ada@example.org", email_verified: false });
    const browser = new FormBrowser(site.api.server.url);
    await arrive(site, browser);
    const page = textOf(await browser.open("/sign-in/link"));
    expect(page).toContain("Grace Hopper");
    expect(page).not.toContain("ada@example.org");
  });

  test("an address of the ID token is not verified by what the provider says elsewhere of another one (issue 15)", async () => {
    const site = await startSite({ accounts: "anyone", email_domains: ["example.org"] });
    site.provider.state.forge = { email: "ada@example.org" };
    const browser = new FormBrowser(site.api.server.url);
    expect((await arrive(site, browser)).to).toBe("/sign-in/link");
    expect(textOf(await browser.open("/sign-in/link"))).toContain("grace@uni.example");
    site.provider.state.forge = { email: "ada@example.org", email_verified: true };
    const ada = new FormBrowser(site.api.server.url);
    expect((await arrive(site, ada)).to).toBe("/");
    expect(await whoIs(site, ada)).toBe("ada");
  });

  test("subject and address count whole: one that begins as another's, or is cut off, opens no account (issue 15)", async () => {
    const begun = "s".repeat(255);
    const site = await startSite({ accounts: "anyone", email_domains: ["example.org"] }, { ...grace, sub: begun });
    await link(site, new FormBrowser(site.api.server.url), "ada");
    expect((await arrive(site, new FormBrowser(site.api.server.url))).to).toBe("/");
    const long = `${"e".repeat(243)}@example.org`;
    await site.api.server.services.users.create(newUser.parse({ username: "eve", email: long }));
    for (const [account, status] of [
      [{ ...grace, sub: `${begun}t` }, 400],
      [{ ...grace, sub: `${begun.slice(1)} ` }, 303],
      [{ ...grace, sub: "g2", email: `${long}.evil.example` }, 303],
    ] as const) {
      site.provider.state.account = account;
      const thief = new FormBrowser(site.api.server.url);
      const { back, to } = await arrive(site, thief);
      expect([back.status, to]).toEqual([status, status === 303 ? "/sign-in/link" : null]);
      expect(await whoIs(site, thief)).toBeUndefined();
    }
  });

  test("a token sends no form, so one that may only read links nothing and asks for nothing (web 9; requests 2.2)", async () => {
    const site = await startSite();
    const { server } = site.api;
    const grant = { userId: await site.api.idOf("ada"), byPassword: false, defaultScopes: [] };
    const { secret } = await server.services.tokens.issue(grant, { name: "x", scopes: ["read"] });
    const thief = new FormBrowser(server.url);
    expect((await arrive(site, thief)).to).toBe("/sign-in/link");
    const headers = { ...thief.headers, "content-type": "application/x-www-form-urlencoded", origin: server.url };
    const reader = new HttpClient(server.url, secret);
    expect((await reader.post("/sign-in/link", "step=here", { headers })).status).toBe(403);
    expect((await reader.post("/records/none/access-request", "message=x", { headers })).status).toBe(403);
    expect((await reader.get("/api/user/identities")).body.hits.hits).toEqual([]);
    expect((await arrive(site, thief)).to).toBe("/sign-in/link");
  });

  test("a closed account does not get in, and one is never found by its e-mail address", async () => {
    const site = await startSite({}, { ...grace, email: "ada@example.org" });
    const browser = new FormBrowser(site.api.server.url);
    expect((await arrive(site, browser)).to).toBe("/sign-in/link");
    await link(site, browser, "ada");
    await site.api.server.services.users.deactivate(await site.api.idOf("ada"));
    const { back } = await arrive(site, new FormBrowser(site.api.server.url));
    expect([back.status, back.headers.getSetCookie().join()]).toEqual([403, expect.not.stringContaining("session=")]);
  });

  test("an account whose address is not confirmed does not get in, as with its password (security 3)", async () => {
    const site = await startSite();
    await link(site, new FormBrowser(site.api.server.url), "ada");
    await site.api.server.host.db.updateTable("user").set({ confirmed: 0 }).where("username", "=", "ada").execute();
    const { back } = await arrive(site, new FormBrowser(site.api.server.url));
    expect([back.status, back.headers.getSetCookie().join()]).toEqual([403, expect.not.stringContaining("session=")]);
  });

  test("wrong answers of a provider are limited for a network, and a right one still counts below (security 3)", async () => {
    const site = await startSite();
    const browser = new FormBrowser(site.api.server.url);
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n += 1) {
      await browser.open("/sign-in/uni");
      statuses.add((await browser.open("/sign-in/uni/callback?code=x&state=wrong")).status);
    }
    expect([...statuses]).toEqual([400]);
    await browser.open("/sign-in/uni");
    const limited = await browser.open("/sign-in/uni/callback?code=x&state=wrong");
    expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true]);
  });

  test("a provider that is down is named, with the other ways; so is a user's no", async () => {
    const site = await startSite();
    const browser = new FormBrowser(site.api.server.url);
    site.provider.state.isDown = true;
    const down = await browser.open("/sign-in/uni");
    expect([down.status, titleOf(down)]).toEqual([503, "Example University cannot be reached"]);
    expect(textOf(down)).toContain('href="/sign-in/other"');
    expect(textOf(down)).toContain('href="/sign-in"');
    site.provider.state.isDown = false;
    const path = await travel(site, browser);
    site.provider.state.isDown = true;
    expect((await browser.open(path)).status).toBe(503);
    site.provider.state.isDown = false;
    site.provider.state.isDenied = true;
    const denied = await browser.open(await travel(site, browser));
    expect([denied.status, textOf(denied)]).toEqual([400, expect.stringContaining("you stopped the sign-in")]);
  });

  test("who is signed in and stops at the provider reads that nothing was linked, and finds the account (issue 18)", async () => {
    const site = await startSite();
    const ada = new FormBrowser(site.api.server.url);
    await ada.send("/sign-in", { account: "ada", password });
    const start = "/sign-in/uni?next=/account";
    site.provider.state.isDown = true;
    const down = await ada.open(start);
    site.provider.state.isDown = false;
    site.provider.state.isDenied = true;
    const denied = await ada.open(await travel(site, ada, start));
    await ada.open(start);
    const wrong = await ada.open("/sign-in/uni/callback?code=x&state=wrong");
    expect([down, denied, wrong].map(({ status }) => status)).toEqual([503, 400, 400]);
    expect([denied, wrong].map(titleOf)).toEqual(["Nothing was changed", "Nothing was changed"]);
    expect(textOf(denied)).toContain("Example University says that you stopped. Nothing was linked");
    for (const page of [down, denied, wrong]) {
      expect(textOf(page)).toContain("othing was linked");
      expect(textOf(page)).not.toContain("sign in another way");
      expect(textOf(page)).toContain('href="/account"');
    }
    expect(await whoIs(site, ada)).toBe("ada");
  });
});
