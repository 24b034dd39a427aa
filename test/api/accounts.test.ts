import { describe, expect, test } from "vitest";
import { ownPath } from "../../server/accounts/next-page.ts";
import { type Api, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { openMailbox } from "../support/mailbox.ts";
import { runCarrel } from "../support/process.ts";

const password = "a horse of many stables";
const hourMicros = 3_600 * 1_000_000;

async function withPassword(api: Api, name: string): Promise<void> {
  await api.server.services.signIn.resetPassword(await api.idOf(name), password);
}

async function signedIn(api: Api, name: string): Promise<FormBrowser> {
  const browser = new FormBrowser(api.server.url);
  expect((await browser.send("/sign-in", { account: name, password })).status).toBe(303);
  return browser;
}

const pathIn = (text: string | undefined): string => new URL(/https?:\S+/.exec(text ?? "")?.[0] ?? "").pathname;
const problemOn = (page: { text: string }): string => /class="problem"[^>]*>([^<]*)/.exec(page.text)?.[1] ?? "";

/** As if the time had passed. */
const age = (api: Api, micros: number) =>
  api.server.host.db
    .updateTable("account_link")
    .set((row) => ({ created: row("created", "-", micros), expires_at: row("expires_at", "-", micros) }))
    .execute();

describe("signing in by a page without script (web 9)", () => {
  test("name or address and password open a session and lead to `next`; signing out ends it", async () => {
    const api = await startApi();
    await withPassword(api, "ada");
    for (const account of ["ada", "ada@example.org"]) {
      const browser = new FormBrowser(api.server.url);
      const form = await browser.open("/sign-in?next=%2Frecords%2Fabc");
      expect(form.text).toContain('name="next" value="/records/abc"');
      expect(form.text, "the bar of the page leads back, too (issue 17)").toContain(
        'href="/sign-in?next=%2Frecords%2Fabc" rel="nofollow"',
      );
      expect(form.headers.get("cache-control")).toBe("private, no-store");
      const sent = await browser.send("/sign-in", { account, password, next: "/records/abc" });
      expect([sent.status, sent.headers.get("location")]).toEqual([303, "/records/abc"]);
      const home = await browser.open("/");
      expect(home.text).toContain('action="/sign-out"');
      expect((await browser.open("/sign-in?next=/x")).headers.get("location")).toBe("/x");
      expect((await browser.send("/sign-out", {})).status).toBe(303);
      expect((await browser.open("/")).text).toContain('href="/sign-in"');
    }
  });

  test("wrong name and wrong password give one page; the account stays typed, the password does not", async () => {
    const api = await startApi();
    await withPassword(api, "ada");
    const browser = new FormBrowser(api.server.url);
    for (const account of ["ada", "nobody"]) {
      const refused = await browser.send("/sign-in", { account, password: "wrong but long" });
      expect(refused.status).toBe(401);
      expect(problemOn(refused)).toBe("The name or the password is wrong.");
      expect(refused.text).toContain(`value="${account}"`);
      expect(refused.text).not.toContain("wrong but long");
    }
    for (let n = 0; n < 4; n += 1) await browser.send("/sign-in", { account: "ada", password: "wrong but long" });
    const limited = await browser.send("/sign-in", { account: "ada", password });
    expect([limited.status, problemOn(limited)]).toEqual([429, expect.stringMatching(/Try again in \d+ minutes?\./)]);
  });

  test("a form from another site is refused, and nobody is led to another site", async () => {
    const api = await startApi();
    await withPassword(api, "ada");
    const browser = new FormBrowser(api.server.url);
    for (const from of ["https://evil.example", "null"]) {
      const refused = await browser.send("/sign-in", { account: "ada", password }, from);
      expect(refused.status).toBe(403);
      expect(refused.headers.getSetCookie()).toEqual([]);
    }
    for (const next of ["https://evil.example", "//evil.example", "/\\evil.example", "/a\nb", "javascript:1", ""]) {
      expect(ownPath(next)).toBe("/");
    }
    expect(ownPath("/me/uploads?q=ice")).toBe("/me/uploads?q=ice");
    const ada = await signedIn(api, "ada");
    expect((await ada.send("/sign-out", {}, "https://evil.example")).status).toBe(403);
    expect((await ada.open("/")).text).toContain("/sign-out");
  });
});

describe("sessions of a user (web 9)", () => {
  test("are listed with browser and last use; one is ended, also by a token, and never another user's", async () => {
    const api = await startApi();
    await withPassword(api, "ada");
    await withPassword(api, "bob");
    const [first, second] = [await signedIn(api, "ada"), await signedIn(api, "ada")];
    const bob = await signedIn(api, "bob");
    const ada = await api.as("ada");
    const listed = await ada.get("/api/user/sessions", { headers: {} });
    expect(listed.body.hits.total).toBe(2);
    const byBrowser = await ada.withToken("").get("/api/user/sessions", { headers: second.csrf });
    expect(byBrowser.status).toBe(401);
    const own = await api.anonymous.get("/api/user/sessions", { headers: second.csrf });
    const current = own.body.hits.hits.filter((one: { is_current: boolean }) => one.is_current);
    expect(current).toMatchObject([{ browser: "Firefox", system: "Windows", address: "127.0.0.1" }]);
    const other = own.body.hits.hits.find((one: { is_current: boolean }) => !one.is_current);
    expect(
      (await api.anonymous.delete(`/api/user/sessions/${other.id}`, undefined, { headers: bob.csrf })).status,
    ).toBe(404);
    expect((await ada.delete(`/api/user/sessions/${other.id}`)).status).toBe(204);
    expect((await first.open("/")).text).toContain("/sign-in");
    expect((await second.open("/")).text).toContain("/sign-out");
    expect((await ada.delete(`/api/user/sessions/${other.id}`)).status).toBe(404);
  });
});

describe("a forgotten password (web 9)", () => {
  test("a link by mail sets a new one once; other sessions end, and a mail says so", async () => {
    const box = await openMailbox();
    const site = { name: "Ocean Data Library" };
    const api = await startApi("server", { settings: { smtp: box.smtp, site } });
    await withPassword(api, "ada");
    const old = await signedIn(api, "ada");
    const browser = new FormBrowser(api.server.url);
    expect((await browser.open("/forgot-password")).text).toContain('type="email"');
    const answer = await browser.send("/forgot-password", { email: " ADA@example.org " });
    expect(answer.status).toBe(200);
    const [mail] = await box.first(1);
    expect(mail).toMatchObject({ to: "ada@example.org", subject: "A new password for Ocean Data Library" });
    const path = pathIn(mail?.text);
    expect((await browser.open(path)).text).toContain("ada");
    const weak = await browser.send(path, { password: "password1" });
    expect([weak.status, problemOn(weak)]).toEqual([400, expect.stringContaining("most common")]);
    expect((await browser.send(path, { password: "a new horse of many" })).status).toBe(200);
    expect((await old.open("/")).text).toContain("/sign-in");
    expect((await browser.send(path, { password: "a third horse of many" })).status).toBe(404);
    expect((await browser.open(path)).text).toContain("/forgot-password");
    expect((await browser.send("/sign-in", { account: "ada", password: "a new horse of many" })).status).toBe(303);
    expect((await box.first(2))[1]?.subject).toMatch(/was changed$/);
  });

  test("an unknown address gets the same answer and no mail; the newest link alone works, for an hour", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    await withPassword(api, "ada");
    const browser = new FormBrowser(api.server.url);
    const unknown = await browser.send("/forgot-password", { email: "nobody@example.org" });
    const known = await browser.send("/forgot-password", { email: "ada@example.org" });
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    await box.first(1);
    await browser.send("/forgot-password", { email: "ada@example.org" });
    const mails = await box.first(2);
    expect(mails.map(({ to }) => to)).toEqual(["ada@example.org", "ada@example.org"]);
    const [first, second] = mails.map(({ text }) => pathIn(text));
    expect((await browser.open(first ?? "")).status).toBe(404);
    expect((await browser.open(second ?? "")).status).toBe(200);
    expect((await browser.open(`${second}x`)).status).toBe(404);
    await age(api, hourMicros);
    expect((await browser.open(second ?? "")).status).toBe(404);
  });

  test("a link ends when the password is changed in another way, by the user or on the console (web 9)", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    await withPassword(api, "ada");
    const browser = new FormBrowser(api.server.url);
    const askedFor = async (count: number) => {
      await browser.send("/forgot-password", { email: "ada@example.org" });
      const path = pathIn((await box.first(count)).at(-1)?.text);
      expect((await browser.open(path)).status).toBe(200);
      return path;
    };
    const first = await askedFor(1);
    await api.server.services.signIn.resetPassword(await api.idOf("ada"), "set by the operator");
    expect((await browser.open(first)).status).toBe(404);
    expect((await browser.send(first, { password: "a thief's long horse" })).status).toBe(404);

    const second = await askedFor(2);
    const ada = await api.as("ada");
    const change = { password: "set by the operator", new_password: "a new horse of many" };
    expect((await ada.post("/api/change-password", change)).status).toBeLessThan(300);
    expect((await browser.send(second, { password: "a thief's long horse" })).status).toBe(404);
    expect((await browser.send("/sign-in", { account: "ada", password: "a new horse of many" })).status).toBe(303);
  });

  test("limits: three mails an hour for an account, twenty requests from a network", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    await withPassword(api, "ada");
    const browser = new FormBrowser(api.server.url);
    // At once: none of them may be counted before another is.
    const asked = Array.from({ length: 5 }, () => browser.send("/forgot-password", { email: "ada@example.org" }));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const links = await api.server.host.db.selectFrom("account_link").select(["user_id", "ended_at"]).execute();
    expect(links.filter(({ user_id }) => user_id !== null)).toHaveLength(3);
    for (let n = 0; n < 15; n += 1) await browser.send("/forgot-password", { email: `p${n}@example.org` });
    const limited = await browser.send("/forgot-password", { email: "ada@example.org" });
    expect([limited.status, problemOn(limited)]).toEqual([429, expect.stringContaining("in an hour")]);
  });

  test("without a mail server the page says whom to ask", async () => {
    const api = await startApi();
    const page = await new FormBrowser(api.server.url).open("/forgot-password");
    expect(page.text).toContain("Ask the administrator");
    expect(page.text).not.toContain("<form method");
  });
});

describe("invitations (web 9)", () => {
  test("an administrator invites; the invited user chooses name and password, and is signed in with their groups", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const admin = await api.as("admin");
    await admin.post("/api/groups", { name: "divers", description: "Divers" });
    const created = await admin.post("/api/invitations", { email: "Karin@Example.org", roles: ["divers"] });
    expect(created).toMatchObject({ status: 201, body: { email: "karin@example.org", roles: ["divers"] } });
    expect(created.body.link).toBeUndefined();
    const [mail] = await box.first(1);
    expect(mail).toMatchObject({ to: "karin@example.org", text: expect.stringContaining("Admin Example invites you") });
    const path = pathIn(mail?.text);
    const browser = new FormBrowser(api.server.url);
    expect((await browser.open(path)).text).toContain("karin@example.org");
    const taken = await browser.send(path, { username: "admin", full_name: "", password });
    expect([taken.status, problemOn(taken)]).toEqual([400, expect.stringContaining("in use already")]);
    const short = await browser.send(path, { username: "karin", full_name: "K", password: "short" });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('value="karin"')]);
    expect(problemOn(short)).toBe("A password has 8 to 128 characters.");
    const done = await browser.send(path, { username: "karin", full_name: "Karin Lindqvist", password });
    expect(done.status).toBe(303);
    const me = await api.anonymous.get("/api/me", { headers: browser.csrf });
    expect(me.body).toMatchObject({ username: "karin", confirmed: true, profile: { full_name: "Karin Lindqvist" } });
    expect(await api.server.services.users.groupsOf(api.server.host.db, me.body.id)).toEqual(["divers"]);
    expect((await browser.send(path, { username: "karin2", password })).status).toBe(404);
    expect((await admin.get("/api/invitations")).body.hits.total).toBe(0);
  });

  test("are listed, sent again and withdrawn; a new link ends the one before", async () => {
    const api = await startApi();
    const admin = await api.as("admin");
    const { body } = await admin.post("/api/invitations", { email: "karin@example.org" });
    const browser = new FormBrowser(api.server.url);
    expect((await browser.open(pathIn(body.link))).status).toBe(200);
    const again = await admin.post(new URL(body.links.resend).pathname);
    expect(again.status).toBe(200);
    expect((await browser.open(pathIn(body.link))).status).toBe(404);
    expect((await browser.open(pathIn(again.body.link))).status).toBe(200);
    const list = (await admin.get("/api/invitations")).body.hits;
    expect(list).toMatchObject({ total: 1, hits: [{ id: again.body.id, email: "karin@example.org" }] });
    expect(JSON.stringify(list)).not.toContain("/invitation/");
    expect((await admin.delete(`/api/invitations/${again.body.id}`)).status).toBe(204);
    expect((await browser.open(pathIn(again.body.link))).text).toContain("This link has ended");
    expect((await admin.delete(`/api/invitations/${again.body.id}`)).status).toBe(404);
  });

  test("refused: an address in use, a wrong address, an unknown group, users who are no administrators", async () => {
    const api = await startApi();
    const admin = await api.as("admin");
    await api.as("ada");
    for (const [body, field] of [
      [{ email: "ada@example.org" }, "email"],
      [{ email: "no address" }, "email"],
      [{}, "email"],
      [{ email: "new@example.org", roles: ["nobody"] }, "roles"],
    ] as const) {
      const refused = await admin.post("/api/invitations", body);
      expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, field]);
    }
    expect((await (await api.as("ada")).post("/api/invitations", { email: "x@example.org" })).status).toBe(403);
  });

  test("`carrel users invite` prints the link when no mail server is set, with the address of the server", async () => {
    const api = await startApi();
    const { stdout, stderr } = await runCarrel(
      "users",
      "invite",
      "--data",
      api.dataDir,
      "--email",
      "karin@example.org",
    );
    expect(stderr).toBe("");
    const printed = JSON.parse(stdout);
    expect(printed.is_mailed).toBe(false);
    expect(printed.link.startsWith(`${api.server.url}/invitation/`)).toBe(true);
    expect((await new FormBrowser(api.server.url).open(pathIn(printed.link))).status).toBe(200);
  });

  test("`carrel users invite` has the running server mail the link when it sends mail", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const { stdout } = await runCarrel("users", "invite", "--data", api.dataDir, "--email", "karin@example.org");
    expect(JSON.parse(stdout)).toMatchObject({ is_mailed: true });
    expect(JSON.parse(stdout).link).toBeUndefined();
    // A commit of the server sends what waits.
    await (await api.as("ada")).post("/api/records", { metadata: {} });
    expect((await box.first(1))[0]?.to).toBe("karin@example.org");
  });
});
