import { describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { openMailbox } from "../support/mailbox.ts";
import { picture } from "../support/pictures.ts";

const base = "/api/administration/people";

async function personOf(admin: HttpClient, api: Api, name: string) {
  return must(await admin.get(`${base}/${await api.idOf(name)}`), 200).body;
}

const act = async (admin: HttpClient, api: Api, name: string, action: string) =>
  admin.post(`${base}/${await api.idOf(name)}/actions/${action}`);

const actionsIn = async (admin: HttpClient, action: string): Promise<string[]> =>
  must(await admin.get(`/api/audit-logs?action=${action}`), 200).body.hits.hits.map(
    (entry: { resource: { id: string } }) => entry.resource.id,
  );

describe.each(roles)("people for administrators on the %s (app, Missing 10)", (role) => {
  test("all of them are listed, private and inactive ones too; search, state, role, order and pages", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    await (await api.as("bea")).get("/api/me");
    const cai = await api.idOf("cai");
    const { db } = api.server.host;
    await db.updateTable("user").set({ visibility: "restricted" }).where("id", "=", cai).execute();
    must(await act(admin, api, "bea", "deactivate"), 200);
    const namesIn = async (query: string) => {
      const { hits } = must(await admin.get(`${base}?${query}`), 200).body;
      return [hits.hits.map((one: { username: string }) => one.username), hits.total];
    };
    expect(await namesIn("")).toEqual([["admin", "bea", "cai"], 3]);
    expect(await namesIn("q=exam%20CA")).toEqual([["cai"], 1]);
    expect(await namesIn("state=inactive")).toEqual([["bea"], 1]);
    expect(await namesIn("role=superuser-access")).toEqual([["admin"], 1]);
    expect(await namesIn("size=1&page=2")).toEqual([["bea"], 3]);
    expect(await namesIn("sort=newest&size=1")).toEqual([["cai"], 3]);
    const body = await personOf(admin, api, "cai");
    expect(body).toMatchObject({
      email: "cai@example.org",
      visibility: "restricted",
      state: "active",
      roles: [],
      storage: { used_bytes: 0, quota_bytes: 200_000_000_000, has_own_quota: false },
    });
    expect((await personOf(admin, api, "admin")).last_seen).toEqual(expect.stringMatching(/^20/));
    expect((await admin.get(`${base}/4711`)).status).toBe(404);
  });

  test("names with accents, of emoji alone and from right to left are found and stand in line (app 17.8)", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    const names = { bea: "Özdemir, Ayşe", cai: "Otto", dan: "Paul", erin: "🦊🦊", finn: "نور الدين" };
    const { db } = api.server.host;
    for (const [username, full_name] of Object.entries(names))
      await db
        .updateTable("user")
        .set({ full_name })
        .where("id", "=", await api.idOf(username))
        .execute();
    const namesFor = async (q: string) => {
      const { hits } = must(await admin.get(`${base}?q=${encodeURIComponent(q)}`), 200).body;
      return hits.hits.map((one: { username: string }) => one.username);
    };
    expect((await namesFor("")).slice(0, 4)).toEqual(["admin", "cai", "bea", "dan"]);
    expect(await namesFor("🦊")).toEqual(["erin"]);
    expect(await namesFor("نور")).toEqual(["finn"]);
    for (const q of ["ozdemir", "O\u0308zdemir", "ÖZDEMIR AYSE"]) expect(await namesFor(q)).toEqual(["bea"]);
  });

  test("a deactivated user loses sessions and tokens, also after they are active again; both are in the log", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    const bea = await api.onServer("bea");
    const id = await api.idOf("bea");
    expect(must(await act(admin, api, "bea", "deactivate"), 200).body.state).toBe("inactive");
    expect((await bea.get("/api/me")).status).toBe(401);
    expect(must(await act(admin, api, "bea", "activate"), 200).body.state).toBe("active");
    expect((await bea.get("/api/me")).status).toBe(401);
    expect(await actionsIn(admin, "user.deactivate")).toEqual([id]);
    expect(await actionsIn(admin, "user.activate")).toEqual([id]);
    must(await act(admin, api, "bea", "activate"), 200);
    expect(await actionsIn(admin, "user.activate")).toEqual([id]);
  });

  test("the picture of a person who is deactivated is not named, as the server shows it to nobody else (requests 12)", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    must(await (await api.onServer("bea")).putBytes("/api/me/picture", await picture(20, 20, "png")), 204);
    expect((await personOf(admin, api, "bea")).profile).toHaveProperty("picture");
    expect(must(await act(admin, api, "bea", "deactivate"), 200).body.profile).not.toHaveProperty("picture");
    expect((await admin.get(`/api/users/${await api.idOf("bea")}/avatar.svg`)).status).toBe(403);
  });

  test("nobody ends their own account, and the last administrator stays one", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    expect((await act(admin, api, "admin", "deactivate")).body).toMatchObject({
      status: 400,
      message: expect.stringContaining("own account"),
    });
    const id = await api.idOf("second");
    must(await admin.post(`/api/users/${id}/groups`, { groups: ["superuser-access"] }), 200);
    must(await act(admin, api, "second", "deactivate"), 200);
    must(await act(admin, api, "second", "activate"), 200);
    must(await admin.delete(`/api/users/${id}/groups`, { groups: ["superuser-access"] }), 200);
    expect((await personOf(admin, api, "second")).roles).toEqual([]);
  });

  test("a quota of one user, and the quota of the settings again; it is in the log", async () => {
    const api = await startApi(role, { settings: { user_quota_bytes: 1000 } });
    const admin = await api.as("admin");
    const bea = await api.onServer("bea");
    const path = `${base}/${await api.idOf("bea")}/quota`;
    const id = await givenDraft(bea);
    must(await bea.post(filesOf(id), [{ key: "a.bin" }, { key: "b.bin" }]), 201);
    const send = (bytes: number) => bea.putBytes(`${fileOf(id, "a.bin")}/content`, "x".repeat(bytes));
    expect((await send(1500)).status).toBe(507);
    expect(must(await admin.put(path, { quota_bytes: 2000 }), 200).body.storage).toMatchObject({
      quota_bytes: 2000,
      has_own_quota: true,
    });
    must(await send(1500), 200);
    expect((await bea.get("/api/user/storage")).body).toEqual({ quota_bytes: 2000, used_bytes: 1500 });
    expect((await personOf(admin, api, "bea")).storage.used_bytes).toBe(1500);
    must(await admin.put(path, { quota_bytes: null }), 200);
    expect((await bea.putBytes(`${fileOf(id, "b.bin")}/content`, "x")).body.message).toContain("1000 bytes");
    expect((await admin.put(path, { quota_bytes: -1 })).status).toBe(400);
    expect(await actionsIn(admin, "user.set-quota")).toHaveLength(2);
  });

  test("a link for a new password is shown without a mail server, and mailed with one", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    const id = await api.idOf("bea");
    const { link, is_mailed } = must(await act(admin, api, "bea", "reset-password"), 200).body;
    expect(is_mailed).toBe(false);
    const browser = new FormBrowser(api.server.url);
    expect((await browser.send(new URL(link).pathname, { password: "a horse of many stables" })).status).toBe(200);
    expect(await actionsIn(admin, "user.send-reset")).toEqual([id]);
    must(await act(admin, api, "bea", "deactivate"), 200);
    expect((await act(admin, api, "bea", "reset-password")).status).toBe(400);
    const box = await openMailbox();
    const mailing = await startApi(role, { settings: { smtp: box.smtp } });
    const sent = must(await act(await mailing.as("admin"), mailing, "bea", "reset-password"), 200).body;
    expect(sent).toEqual({ is_mailed: true, email: "bea@example.org", expires_at: expect.any(String) });
    expect((await box.first(1))[0]).toMatchObject({ to: "bea@example.org" });
  });
});

test("two administrators who end each other at the same moment: one of them stays (app, Missing 10)", async () => {
  const api = await startApi();
  const admin = await api.as("admin");
  const second = await api.as("second");
  const ids = [await api.idOf("admin"), await api.idOf("second")];
  must(await admin.post(`/api/users/${ids[1]}/groups`, { groups: ["admin"] }), 200);
  const answers = await Promise.all([
    admin.post(`${base}/${ids[1]}/actions/deactivate`),
    second.post(`${base}/${ids[0]}/actions/deactivate`),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await api.server.services.users.find(api.server.host.db, ids[0] ?? "")).toBeDefined();
  const left = await api.server.host.db.selectFrom("user").select("id").where("active", "=", 1).execute();
  expect(left).toHaveLength(1);
});
