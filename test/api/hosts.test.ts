import { stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { recall } from "../../main/sync/person.repository.ts";
import { roles, startApi } from "../support/api.ts";
import { HttpClient } from "../support/http-client.ts";
import { openRequest, statusLine } from "../support/raw-request.ts";
import { givenDraft, givenRecord, withoutFiles } from "../support/records.ts";

describe.each(roles)("every host, here the %s", (role) => {
  test("answers /ping and /healthz without credentials (hosts-and-sync 6)", async () => {
    const api = await startApi(role);
    const { url } = await api.as("alice");
    const stranger = new HttpClient(url);
    expect(await stranger.get("/ping")).toMatchObject({ status: 200, text: "OK" });
    expect((await stranger.get("/healthz")).body).toMatchObject({ status: "ok", role });
  });

  test.skipIf(process.platform === "win32")("a data folder it makes is for its own account alone", async () => {
    const api = await startApi(role);
    await api.as("alice");
    const folder = role === "server" ? api.dataDir : api.dataDirOf("alice");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test("knows who calls (requests 2.3)", async () => {
    const api = await startApi(role);
    const answer = await (await api.as("alice")).get("/api/me");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ username: "alice", is_current_user: true });
  });
});

test.each(roles)(
  "the first call about another user's record is answered like every later one, on the %s",
  async (role) => {
    const api = await startApi(role);
    const [alice, bob, moderator] = [await api.as("alice"), await api.as("bob"), await api.as("moderator")];
    const edited = await givenRecord(alice);
    await alice.post(`/api/records/${edited}/draft`);
    expect((await bob.get(`/api/records/${edited}/draft`)).status, "a draft is there (records 2)").toBe(403);
    const draft = await givenDraft(alice);
    const review = `/api/records/${draft}/draft/review`;
    await alice.put(review, { receiver: { user: await api.idOf("bob") } });
    expect((await moderator.get(review)).status, "who may read the draft (requests 4.1)").toBe(200);
    const secret = await givenRecord(alice, { ...withoutFiles, access: { record: "restricted", files: "restricted" } });
    const { parent } = (await alice.get(`/api/records/${secret}`)).body;
    const answer = await bob.get(`/api/records/${parent.id}`);
    const link = `${bob.url}/api/records/${secret}`;
    expect([answer.status, answer.headers.get("location")], "the latest version's record URL (records 1.5)").toEqual([
      302,
      link,
    ]);
    expect((await bob.get(link)).status).toBe(403);
  },
);

describe("the replica's own guard (hosts-and-sync 2)", () => {
  test("Without it: 401 on every path, unknown paths included", async () => {
    const api = await startApi("replica");
    const stranger = new HttpClient((await api.as("alice")).url);
    for (const path of ["/api/me", "/api/records", "/api/nowhere", "/nowhere"]) {
      expect((await stranger.get(path)).status, path).toBe(401);
    }
    const wrong = new HttpClient(stranger.url, "wrong");
    expect((await wrong.get("/api/me")).status).toBe(401);
  });

  test("an unknown address outside the API is a page of the app for a window, and JSON for others (app M24)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const asWindow = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
    const page = await alice.get("/nowhere/at-all", asWindow);
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    const forOthers = await alice.get("/nowhere/at-all");
    expect([forOthers.status, forOthers.headers.get("content-type")]).toEqual([404, "application/json"]);
    expect((await alice.get("/api/nowhere", asWindow)).body).toMatchObject({ status: 404 });
    expect((await new HttpClient(alice.url).get("/nowhere/at-all", asWindow)).status).toBe(401);
  });

  test("a request with a foreign Origin is 403, Origin null is foreign", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    for (const origin of ["https://evil.example", "null"]) {
      expect((await alice.get("/api/me", { headers: { origin } })).status).toBe(403);
    }
    expect((await alice.get("/api/me", { headers: { origin: alice.url } })).status).toBe(200);
  });

  test("hosts 2: Host header must be 127.0.0.1:<port> or localhost:<port>, else 421; foreign Origin 403; also on WebSocket upgrades", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const { host, port } = new URL(alice.url);
    const credential = { authorization: alice.authorization };
    const rows: [Record<string, string>, string, string][] = [
      [{ host, ...credential }, "/api/me", "200"],
      [{ host: `localhost:${port}`, ...credential }, "/api/me", "200"],
      [{ host }, `/api/me?access_token=${alice.authorization.slice(7)}`, "401"],
      [{ host: `LocalHost:${port}`, ...credential }, "/api/me", "200"],
      [{ host: "127.0.0.1", ...credential }, "/api/me", "421"],
      [{ host: `[::1]:${port}`, ...credential }, "/api/me", "421"],
      [{ host: "rebound.example.org", ...credential }, "/ping", "421"],
      [{ host, origin: "null", ...credential }, "/ping", "403"],
      [{ host }, "/api/sync/documents/draft:abcde-fgh23", "401"],
      [{ host: "rebound.example.org", ...credential }, "/api/sync/documents/draft:abcde-fgh23", "421"],
      [{ host, origin: "https://evil.example", ...credential }, "/api/sync/documents/draft:abcde-fgh23", "403"],
      [{ host, ...credential }, "/api/sync/documents/draft:abcde-fgh23", "404"],
    ];
    const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    for (const [headers, path, status] of rows) {
      const more = path.includes("documents") ? { ...upgrade, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" } : {};
      const socket = await openRequest(alice.url, { method: "GET", path, headers: { ...headers, ...more } });
      expect(await statusLine(socket), `${JSON.stringify(headers)} ${path}`).toContain(` ${status} `);
      socket.destroy();
    }
    const { headers } = await alice.get("/api/me", { headers: { origin: alice.url } });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("hosts 5: each endpoint answers with the status of the table", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const rows: [string, string, unknown, number][] = [
      ["GET", "/api/sync/status", undefined, 200],
      ["GET", "/api/sync/operations", undefined, 200],
      ["GET", "/api/sync/tray", undefined, 200],
      ["GET", "/api/sync/conflicts", undefined, 200],
      ["GET", "/api/sync/notifications", undefined, 200],
      ["GET", "/api/sync/storage", undefined, 200],
      ["POST", "/api/sync/storage/free", undefined, 200],
      ["POST", "/api/sync/run", undefined, 202],
      ["POST", "/api/sync/pause", undefined, 200],
      ["POST", "/api/sync/resume", undefined, 200],
      ["POST", "/api/sync/notifications/read", { all: true }, 204],
      ["POST", "/api/sync/notifications/read", {}, 400],
      ["POST", "/api/sync/connect", {}, 400],
      ["DELETE", "/api/sync/connect?data=some", undefined, 400],
      ["DELETE", "/api/sync/connect?data=remove&force=perhaps", undefined, 400],
      ["POST", "/api/sync/tray/unknown/retry", undefined, 404],
      ["POST", "/api/sync/tray/unknown/copy", undefined, 404],
      ["DELETE", "/api/sync/tray/unknown", undefined, 404],
      ["POST", "/api/sync/conflicts/unknown", { choose: "mine" }, 404],
      ["POST", "/api/sync/conflicts/unknown", { choose: "both" }, 404],
      ["GET", "/api/sync/push", undefined, 404],
      ["PUT", "/api/sync/connect", {}, 405],
    ];
    for (const [method, path, body, status] of rows) {
      const answer = await alice.call(method, path, body);
      expect(answer.status, `${method} ${path}`).toBe(status);
      if (status >= 400) expect(answer.body.message).toMatch(/\w/);
    }
  });

  test("opens with a one-time code, exchanged once for a session; a second use is 401", async () => {
    const api = await startApi("replica");
    const { guard } = await api.replicaOf("alice");
    const window = new HttpClient((await api.as("alice")).url);
    const code = guard.newCode();
    const first = await window.post("/api/sync/session", { code });
    expect(first.status).toBe(200);
    expect((await window.post("/api/sync/session", { code })).status).toBe(401);
    const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect((await window.get("/api/me", { headers: { cookie } })).status).toBe(200);
    expect((await window.post("/api/sync/run", undefined, { headers: { cookie } })).status).toBe(400);
    const headers = { cookie, "x-csrftoken": first.body.csrf_token };
    expect((await window.post("/api/sync/run", undefined, { headers })).status).toBe(202);
  });

  test("a window gets the CSRF token of its session; no other caller gets one", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const { guard } = await api.replicaOf("alice");
    const window = new HttpClient(alice.url);
    const path = "/api/sync/session";
    const cookies: string[] = [];
    for (const code of [guard.newCode(), guard.newCode()]) {
      const { headers, body } = await window.post(path, { code });
      const cookie = (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
      const session = await window.get(path, { headers: { cookie } });
      expect(session).toMatchObject({ status: 200, body: { csrf_token: body.csrf_token } });
      expect(session.headers.get("cache-control")).toBe("no-store");
      expect(session.headers.get("access-control-allow-origin")).toBeNull();
      expect(session.headers.get("x-content-type-options")).toBe("nosniff");
      cookies.push(cookie);
    }
    const [cookie = ""] = cookies;
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
      expect((await window.get(path, { headers: { cookie, origin } })).status, origin).toBe(403);
    }
    expect((await window.get(path)).status).toBe(401);
    expect((await window.get(path, { headers: { cookie: "carrel_session=x" } })).status).toBe(401);
    expect((await alice.get(path)).body).toEqual({ csrf_token: null });
    expect((await window.put(path, {}, { headers: { cookie } })).status).toBe(405);
  });

  test("status: state is up_to_date only when everything is on the server (hosts-and-sync 5, 8)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    await api.waitForSync();
    const { body } = await alice.get("/api/sync/status");
    expect(body).toMatchObject({ state: "up_to_date", online: true, pending: 0, user: { username: "alice" } });
    expect((await alice.post("/api/sync/pause")).body.state).toBe("paused");
    expect((await alice.post("/api/sync/resume")).status).toBe(200);
  });

  test("status: what the server has done and is not seen here yet is under way: after up_to_date it is (hosts-and-sync 8)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    await givenDraft(alice);
    const { db } = (await api.replicaOf("alice")).host;
    const state = async () => (await alice.get("/api/sync/status")).body.state;
    await expect.poll(state).toBe("up_to_date");
    const head = (await recall(db, "seq")) ?? 0;
    await db
      .updateTable("operation")
      .set({ state: "applied", applied_seq: head + 1 })
      .execute();
    expect(await state()).toBe("syncing");
    await givenDraft(alice);
    await expect.poll(state).toBe("up_to_date");
  });
});
