import type { Request } from "express";
import { authenticator } from "otplib";
import { describe, expect, test, vi } from "vitest";
import { tokenByPassword } from "../../main/upstreams/carrel/sign-in.ts";
import { callerNow } from "../../server/sync/live/live-caller.service.ts";
import type { UserRow } from "../../shared/database/schema.ts";
import { anonymous, system } from "../../shared/kernel/caller.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import type { PasswordProof } from "../../shared/sign-in/password-proof.service.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import type { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";

const password = "a horse of many stables";
const path = "/api/user/second-factor";
const draftOf = (title: string) => ({ metadata: { title } });

/** A code that was not used yet: each counts once. @param step 30 seconds from now. */
const codeOf = (secret: string, step = 0): string =>
  authenticator.clone({ epoch: Date.now() + step * 30_000 }).generate(secret);

/** Sets up a second factor; the code of the step before is used for it. */
async function setUp(api: Api, name: string, client?: HttpClient): Promise<{ secret: string; codes: string[] }> {
  await api.server.services.signIn.resetPassword(await api.idOf(name), password);
  const caller = client ?? (await api.onServer(name));
  const begun = await caller.post(path, { password });
  expect(begun.status).toBe(201);
  const { secret, uri } = begun.body;
  expect(uri).toContain(`secret=${secret}`);
  const confirmed = await caller.post(`${path}/actions/confirm`, { code: codeOf(secret, -1) });
  expect(confirmed.status).toBe(200);
  return { secret, codes: confirmed.body.recovery_codes };
}

describe("a second factor (web 9)", () => {
  test.each(roles)(
    "is set up with the password and removed with a code too on the %s, and counts once a code confirms it",
    async (role) => {
      const api = await startApi(role);
      const ada = await api.as("ada");
      await api.server.services.signIn.resetPassword(await api.idOf("ada"), password);
      expect((await ada.get(path)).body).toMatchObject({ is_on: false, since: null, recovery_codes: 0 });
      expect((await ada.post(path, { password: "wrong one" })).body.errors[0].field).toBe("password");
      const { body } = await ada.post(path, { password });
      const wrong = await ada.post(`${path}/actions/confirm`, { code: "000000" });
      expect([wrong.status, wrong.body.errors?.[0].field]).toEqual([400, "code"]);
      expect((await ada.get(path)).body.is_on).toBe(false);
      const done = await ada.post(`${path}/actions/confirm`, { code: codeOf(body.secret) });
      expect(new Set(done.body.recovery_codes).size).toBe(10);
      expect((await ada.get(path)).body).toMatchObject({ is_on: true, recovery_codes: 10 });
      expect((await ada.post(path, { password })).status).toBe(400);
      const [code] = done.body.recovery_codes;
      for (const action of ["renew-codes", "remove"]) {
        for (const sent of [{ password }, { password, code: "000000" }, { password: "wrong one", code }]) {
          const refused = await ada.post(`${path}/actions/${action}`, sent);
          const field = sent.password === password ? "code" : "password";
          expect([refused.status, refused.body.errors?.[0].field]).toEqual([400, field]);
        }
      }
      const renewed = await ada.post(`${path}/actions/renew-codes`, { password, code });
      expect(renewed.body.recovery_codes).not.toEqual(done.body.recovery_codes);
      expect((await ada.post(`${path}/actions/remove`, { password, code })).status).toBe(400);
      const [next] = renewed.body.recovery_codes;
      expect((await ada.post(`${path}/actions/remove`, { password, code: next })).status).toBe(204);
      expect((await ada.get(path)).body).toMatchObject({ is_on: false, recovery_codes: 0 });
    },
  );

  test("the API refuses a right password without the code, and says so; each code works once", async () => {
    const api = await startApi();
    const { secret, codes } = await setUp(api, "ada");
    for (const where of ["/api/login", "/api/tokens"]) {
      const form = { username: "ada", password, name: "desk" };
      const needed = await api.anonymous.post(where, form);
      expect([needed.status, needed.body.error]).toEqual([401, "second_factor_required"]);
      expect(needed.headers.getSetCookie()).toEqual([]);
      expect((await api.anonymous.post(where, { ...form, password: "wrong one" })).body.error).toBe("invalid_grant");
      const wrong = await api.anonymous.post(where, { ...form, code: "000000" });
      expect([wrong.status, wrong.body.error]).toEqual([401, "invalid_second_factor"]);
    }
    const code = codeOf(secret);
    const form = { username: "ada", password, code };
    expect((await api.anonymous.post("/api/login", form)).status).toBe(200);
    expect((await api.anonymous.post("/api/login", form)).body.error).toBe("invalid_second_factor");
    const typed = ` ${codes[0]?.toLowerCase().replaceAll("-", " ")}`;
    expect((await api.anonymous.post("/api/tokens", { ...form, name: "desk", code: typed })).status).toBe(201);
    expect((await api.anonymous.post("/api/tokens", { ...form, name: "desk", code: typed })).status).toBe(401);
  });

  test("wrong codes are limited, and the log tells of them and of changes, without secrets", async () => {
    const api = await startApi();
    const { secret, codes } = await setUp(api, "ada");
    const form = { username: "ada", password };
    for (let n = 0; n < 5; n += 1) await api.anonymous.post("/api/login", { ...form, code: "000000" });
    const limited = await api.anonymous.post("/api/login", { ...form, code: codeOf(secret) });
    expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true]);
    const log = await (await api.as("admin")).get("/api/audit-logs?size=100");
    const actions = log.body.hits.hits.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action === "user.second-factor")).toHaveLength(5);
    expect(actions).toContain("user.add-second-factor");
    for (const word of [secret, ...codes]) expect(log.text).not.toContain(word);
    const stored = JSON.stringify(await api.server.host.db.selectFrom("recovery_code").selectAll().execute());
    for (const word of codes) expect(stored).not.toContain(word.replaceAll("-", ""));
  });

  test("a stranger cannot use up the codes of a user by a name that they make up; `unlock` resets wrong codes (web 9)", async () => {
    const api = await startApi();
    const { secret } = await setUp(api, "ada");
    const id = await api.idOf("ada");
    const { signIn, users } = api.server.services;
    for (const username of [`second factor ${id}`, `factor:${id}`]) {
      for (let n = 0; n < 5; n += 1) await api.anonymous.post("/api/login", { username, password: "wrong one" });
    }
    const form = { username: "ada", password };
    expect((await api.anonymous.post("/api/login", { ...form, code: codeOf(secret) })).status).toBe(200);
    for (let n = 0; n < 5; n += 1) await api.anonymous.post("/api/login", { ...form, code: "000000" });
    await signIn.resetPassword(id, password);
    expect((await api.anonymous.post("/api/login", { ...form, code: codeOf(secret, 1) })).status).toBe(429);
    const ada = await users.find(api.server.host.db, id);
    if (ada) await signIn.unlock(ada);
    expect((await api.anonymous.post("/api/login", { ...form, code: codeOf(secret, 1) })).status).toBe(200);
  });

  test("the sign-in page asks for the code in a second step, which works without script", async () => {
    const api = await startApi();
    const { secret } = await setUp(api, "ada");
    const browser = new FormBrowser(api.server.url);
    const first = await browser.send("/sign-in", { account: "ada", password, next: "/records/abc" });
    const codeAddress = "/sign-in/code?next=%2Frecords%2Fabc";
    expect([first.status, first.headers.get("location")]).toEqual([303, codeAddress]);
    expect((await browser.open("/")).text).toContain('href="/sign-in"');
    expect((await browser.open("/sign-in/code")).text).toContain('autocomplete="one-time-code"');
    const wrong = await browser.send("/sign-in/code", { code: "000000" });
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining("The code is wrong")]);
    const inside = await browser.send("/sign-in/code", { code: codeOf(secret) });
    expect(inside.headers.get("location")).toBe("/records/abc");
    expect((await browser.open("/")).text).toContain("/sign-out");
    // The user who waited too long signs in again, and comes to where they wanted to go (issue 18).
    const again = "/sign-in?sent=1&next=%2Frecords%2Fabc";
    expect((await browser.send(codeAddress, { code: codeOf(secret, 1) })).headers.get("location")).toBe(again);
    const late = new FormBrowser(api.server.url);
    expect((await late.open(codeAddress)).headers.get("location")).toBe(again);
    expect((await late.open(again)).text).toContain('name="next" value="/records/abc"');
    expect((await late.open("/sign-in/code?next=//evil.example")).headers.get("location")).toBe("/sign-in?sent=1");
  });

  test("a password changed between the two steps ends the sign-in", async () => {
    const api = await startApi();
    const { secret } = await setUp(api, "ada");
    const browser = new FormBrowser(api.server.url);
    await browser.send("/sign-in", { account: "ada", password });
    await api.server.services.signIn.resetPassword(await api.idOf("ada"), "a second horse of many");
    expect((await browser.send("/sign-in/code", { code: codeOf(secret) })).status).toBe(403);
    expect((await browser.open("/")).text).toContain('href="/sign-in"');
  });

  test("`administrators`: their rights wait for it, for sessions, tokens and sockets; the console resets it", async () => {
    const sign_in = settingsSchema.shape.sign_in.parse({ second_factor: "administrators" });
    const api = await startApi("server", { settings: { sign_in } });
    const admin = await api.as("admin");
    expect((await admin.get("/api/audit-logs")).status).toBe(403);
    expect((await admin.get("/api/me")).body.roles).toEqual([]);
    expect((await admin.get(path)).body).toMatchObject({ is_on: false, is_demanded: true });
    const { host } = api.server;
    const caller = { ...anonymous, userId: await api.idOf("admin") };
    expect([...((await callerNow(host, caller))?.roles ?? ["nobody"])]).toEqual([]);
    await setUp(api, "admin", admin);
    expect((await callerNow(host, caller))?.roles.size).toBeGreaterThan(0);
    expect((await admin.get("/api/audit-logs")).status).toBe(200);
    expect((await admin.get(path)).body.is_demanded).toBe(false);
    const { stderr } = await runCarrel("users", "reset-second-factor", "--data", api.dataDir, "--username", "admin");
    expect(stderr).toBe("");
    expect((await admin.get("/api/audit-logs")).status).toBe(403);
  });

  test("`administrators`: what a stolen password opened before ends with the second factor, and gains no rights (issue 15)", async () => {
    const sign_in = settingsSchema.shape.sign_in.parse({ second_factor: "administrators" });
    const api = await startApi("server", { settings: { sign_in } });
    await api.server.services.signIn.resetPassword(await api.idOf("admin"), password);
    const [owner, thief] = [new FormBrowser(api.server.url), new FormBrowser(api.server.url)];
    for (const browser of [owner, thief]) await browser.send("/sign-in", { account: "admin", password });
    const stolen = await api.anonymous.post("/api/tokens", { name: "t", username: "admin", password });
    const { body } = await api.anonymous.post(path, { password }, { headers: owner.csrf });
    const rights = ({ csrf }: FormBrowser) => api.anonymous.get("/api/audit-logs", { headers: csrf });
    expect([(await rights(owner)).status, (await rights(thief)).status]).toEqual([403, 403]);
    const code = codeOf(body.secret);
    const confirmed = await api.anonymous.post(`${path}/actions/confirm`, { code }, { headers: owner.csrf });
    expect(confirmed.status).toBe(200);
    expect([(await rights(owner)).status, (await rights(thief)).status]).toEqual([200, 403]);
    expect((await api.anonymous.get("/api/me", { headers: thief.csrf })).status).toBe(401);
    expect((await api.anonymous.withToken(stolen.body.token).get("/api/me")).status).toBe(401);
    expect((await (await api.as("admin")).get("/api/me")).status).toBe(200);
  });

  test("a secret that nobody confirmed for an hour is shown and taken no more (issue 15)", async () => {
    const api = await startApi();
    await api.server.services.signIn.resetPassword(await api.idOf("ada"), password);
    const browser = new FormBrowser(api.server.url);
    await browser.send("/sign-in", { account: "ada", password });
    const { body } = await api.anonymous.post(path, { password }, { headers: browser.csrf });
    expect((await browser.open("/account")).text).toContain(body.secret);
    const { db, now } = api.server.host;
    await db
      .updateTable("second_factor")
      .set({ created: now() - 3_601_000_000 })
      .execute();
    expect((await browser.open("/account")).text).not.toContain(body.secret);
    const late = { code: codeOf(body.secret) };
    expect((await api.anonymous.post(`${path}/actions/confirm`, late, { headers: browser.csrf })).status).toBe(400);
    expect((await browser.open("/account")).text).toContain('value="begin-factor"');
  });

  test("what another session does meanwhile: no other secret is confirmed, none is removed without a code (issue 15)", async () => {
    const api = await startApi("server", { aloneBecause: "it looks into the process" });
    const { db, services, id } = { ...api.server.host, ...api.server, id: await api.idOf("ada") };
    await services.signIn.resetPassword(id, password);
    const ada = await api.onServer("ada");
    const { secret } = (await ada.post(path, { password })).body;
    const factor = () => db.selectFrom("second_factor").selectAll().where("user_id", "=", id).executeTakeFirst();

    const { groupsOf } = services.users;
    const meanwhile = vi.spyOn(services.users, "groupsOf").mockImplementationOnce(async (tx, userId) => {
      await tx.updateTable("second_factor").set({ secret: "OTHER" }).where("user_id", "=", userId).execute();
      return groupsOf(tx, userId);
    });
    const refused = await ada.post(`${path}/actions/confirm`, { code: codeOf(secret) });
    meanwhile.mockRestore();
    expect([refused.status, refused.body.message]).toEqual([400, "There is no second factor."]);
    expect((await ada.get(path)).body).toMatchObject({ is_on: false, recovery_codes: 0 });

    const user = (await services.users.find(db, id)) as UserRow;
    const assertCurrent: PasswordProof["assertCurrent"] = async (tx) => {
      await tx.updateTable("second_factor").set({ confirmed: 1 }).where("user_id", "=", id).execute();
    };
    const removed = services.secondFactors.remove({} as Request, { user, assertCurrent }, "");
    await expect(removed).rejects.toMatchObject({ problems: [{ field: "code" }] });
    expect(await factor()).toMatchObject({ secret });
  });

  test("`administrators`: what only their rights let them hold follows the second factor in the feed too (security, audience)", async () => {
    const sign_in = settingsSchema.shape.sign_in.parse({ second_factor: "administrators" });
    const api = await startApi("server", { settings: { sign_in } });
    const [ada, admin] = [await api.as("ada"), await api.as("admin")];
    const adminId = await api.idOf("admin");
    const { id } = (await ada.post("/api/records", draftOf("Private"))).body;
    const rowOf = () =>
      api.server.host.db
        .selectFrom("feed")
        .select(["state", "seq"])
        .where("user_id", "=", adminId)
        .where("kind", "=", "family")
        .executeTakeFirst();
    await setUp(api, "admin", admin);
    expect((await admin.post("/api/sync/open", { kind: "record", id })).status).toBe(200);
    expect(await rowOf()).toMatchObject({ state: "live" });
    await api.server.services.secondFactors.reset(system, adminId);
    const left = await rowOf();
    expect(left?.state).toBe("withdrawn");
    expect((await ada.put(`/api/records/${id}/draft`, draftOf("Still private"))).status).toBe(200);
    expect(await rowOf()).toEqual(left);
    await setUp(api, "admin", admin);
    expect(await rowOf()).toMatchObject({ state: "live" });
  });

  test("a superuser removes the one of a user who lost everything, never their own; others cannot (web 9, app 17.8)", async () => {
    const api = await startApi("server");
    const [admin, ada] = [await api.as("admin"), await api.as("ada")];
    const person = `/api/administration/people/${await api.idOf("ada")}`;
    const reset = `${person}/actions/reset-second-factor`;
    expect((await admin.get(person)).body.has_second_factor).toBe(false);
    expect((await admin.post(reset)).body).toMatchObject({ status: 400, message: "There is no second factor." });
    await setUp(api, "ada", ada);
    expect((await admin.get(person)).body.has_second_factor).toBe(true);
    expect((await (await api.as("bob")).post(reset)).status).toBe(403);
    expect((await admin.post(reset)).body).toMatchObject({ username: "ada", has_second_factor: false });
    expect((await api.anonymous.post("/api/login", { username: "ada", password })).status).toBe(200);
    await setUp(api, "admin", admin);
    const own = `/api/administration/people/${await api.idOf("admin")}/actions/reset-second-factor`;
    expect((await admin.post(own)).status).toBe(400);
    expect((await admin.get(path)).body.is_on).toBe(true);
    const log = (await admin.get("/api/audit-logs?action=user.reset-second-factor")).body.hits.hits;
    expect(log).toHaveLength(1);
  });

  test("a replica that signs in is told that a code is needed, and sends it in the second attempt", async () => {
    const api = await startApi();
    const { secret } = await setUp(api, "ada");
    const form = { account: "ada", password };
    await expect(tokenByPassword(api.server.url, form)).rejects.toMatchObject({ problems: [{ field: "code" }] });
    await expect(tokenByPassword(api.server.url, { ...form, code: "000000" })).rejects.toMatchObject({
      problems: [{ field: "code", messages: [expect.stringContaining("wrong")] }],
    });
    expect(await tokenByPassword(api.server.url, { ...form, code: codeOf(secret) })).toMatch(/^carrel_/);
  });
});
