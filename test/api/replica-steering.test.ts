import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { recall } from "../../main/sync/person.repository.ts";
import { openServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { type Api, startApi } from "../support/api.ts";
import { HttpClient } from "../support/http-client.ts";
import { publishable } from "../support/reviews.ts";
import { faultProxyTo } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "carrel-test-"));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

async function replicaIn(dataDir: string) {
  const replica = await openReplica({
    dataDir,
    port: 0,
    environment: machineEnvironment(),
    log: createLog("silent"),
    startPaused: false,
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await replica.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { replica, client: new HttpClient(replica.url, replica.guard.secret), close };
}

async function newReplica(): Promise<HttpClient> {
  return (await replicaIn(await folder())).client;
}

const statusOf = async (client: HttpClient) => (await client.get("/api/sync/status")).body;
const upToDate = (client: HttpClient) =>
  until(async () => (await statusOf(client)).state === "up_to_date", "up_to_date");

async function newToken(api: Api, name: string): Promise<{ token: string; revoke(): Promise<void> }> {
  const server = await api.onServer(name);
  const { body } = await server.post("/api/tokens", { name: "another", scopes: ["read", "write"] });
  return { token: body.token, revoke: async () => void (await server.delete(`/api/tokens/${body.id}`)) };
}

describe("connecting and disconnecting (hosts-and-sync 5, 8)", () => {
  test("before any server: state local, the caller is local, search answers, 503 with message for what only a server has", async () => {
    const client = await newReplica();
    expect(await statusOf(client)).toEqual({
      state: "local",
      server: null,
      user: null,
      online: false,
      paused: false,
      pending: 0,
      sending: 0,
      rejected: 0,
      conflicts: 0,
      transfers: [],
      last_success: null,
      last_error: null,
    });
    expect((await client.get("/api/me")).body.id).toBe("local");
    expect((await client.get("/api/records/abcde-fgh23")).status).toBe(503);
    expect((await client.post("/api/groups", { name: "x" })).status).toBe(503);
    expect((await client.post("/api/sync/pause")).body.state).toBe("local");
    expect((await client.post("/api/sync/resume")).body.state).toBe("local");
    expect((await client.post("/api/sync/run")).status).toBe(202);
  });

  test("says plainly what is wrong (400); another person, another data folder (409)", async () => {
    const api = await startApi("server");
    const [alice, bob] = [await api.person("alice"), await api.person("bob")];
    const client = await newReplica();
    const mine = await api.onServer("alice");
    const reading = (await mine.post("/api/tokens", { name: "to read", scopes: ["read"] })).body.token;
    const connect = (server: unknown, token: unknown) => client.post("/api/sync/connect", { server, token });
    for (const [server, token] of [
      ["nonsense", "x"],
      ["ftp://127.0.0.1", "x"],
      ["http://127.0.0.1:1", "x"],
      [api.server.url, "wrong"],
      [api.server.url, reading],
      [`${api.server.url}/elsewhere`, alice.token],
      [undefined, undefined],
      [5, 6],
      [client.url, "x"],
    ]) {
      const answer = await connect(server, token);
      expect.soft(answer.status, `${server} ${answer.text}`).toBe(400);
      expect.soft(answer.body.message).toMatch(/\w+ \w+/);
    }
    const half = async (form: object) => {
      const { body } = await client.post("/api/sync/connect", form);
      return body.errors.map(({ field }: { field: string }) => field);
    };
    expect(await half({})).toEqual(["server", "token"]);
    expect(await half({ server: api.server.url, account: "alice" })).toEqual(["password"]);
    expect(await statusOf(client)).toMatchObject({ state: "local", user: null });
    expect((await connect(`${api.server.url}/`, alice.token)).status).toBe(200);
    await upToDate(client);
    expect(await statusOf(client)).toMatchObject({ user: { id: alice.id, username: "alice" }, server: api.server.url });
    expect((await connect(api.server.url, bob.token)).status).toBe(409);
    expect((await connect(api.server.url, "wrong")).status).toBe(400);
    expect((await client.delete("/api/sync/connect")).body.state).toBe("local");
    expect((await connect(api.server.url, bob.token)).status, "after disconnecting").toBe(409);
    expect((await connect(api.server.url, alice.token)).status).toBe(200);
    await upToDate(client);
  });

  test("drafts made as local become the user's, with files and marks", async () => {
    const api = await startApi("server");
    const alice = await api.person("alice");
    const client = await newReplica();
    const draft = await client.post("/api/records", { ...publishable(), files: { enabled: true } });
    expect(draft.status).toBe(201);
    const path = `/api/records/${draft.body.id}/draft`;
    expect(draft.body.parent.access.owned_by).toEqual({ user: "local" });
    await client.post(`${path}/files`, [{ key: "a.txt" }]);
    await client.putBytes(`${path}/files/a.txt/content`, "bytes");
    expect((await client.post(`${path}/files/a.txt/commit`)).status).toBe(200);
    expect((await client.post(`${path}/actions/publish`)).status).toBe(202);
    expect((await client.post("/api/sync/connect", { server: api.server.url, token: alice.token })).status).toBe(200);
    expect((await client.get("/api/me")).body.id).toBe(alice.id);
    await upToDate(client);
    const published = await alice.client.get(`/api/records/${draft.body.id}`);
    expect(published.status, JSON.stringify((await client.get("/api/sync/tray")).body.hits.hits)).toBe(200);
    expect(published.body.parent.access.owned_by).toEqual({ user: alice.id });
    expect((await alice.client.get(`/api/records/${draft.body.id}/files/a.txt/content`)).text).toBe("bytes");
    expect((await client.get(`/api/records/${draft.body.id}`)).body).toMatchObject({
      is_published: true,
      parent: { access: { owned_by: { user: alice.id } } },
    });
    expect((await client.get("/api/user/records")).body.hits.total).toBe(1);
  });

  test("DELETE data=keep keeps; data=remove 409 while anything is unsent unless force", async () => {
    const api = await startApi("server");
    const alice = await api.person("alice");
    const client = await newReplica();
    const connect = () => client.post("/api/sync/connect", { server: api.server.url, token: alice.token });
    await connect();
    const id = (await client.post("/api/records", publishable())).body.id;
    await upToDate(client);
    await client.post("/api/sync/pause");
    await client.put(`/api/records/${id}/draft`, publishable("Unsent"));
    expect((await client.delete("/api/sync/connect?data=remove")).status).toBe(409);
    expect((await statusOf(client)).state).toBe("paused");
    expect((await client.delete("/api/sync/connect?data=sometimes")).status).toBe(400);
    const kept = await client.delete("/api/sync/connect");
    expect(kept.body).toMatchObject({ state: "local", server: null, pending: 1 });
    expect((await client.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Unsent");
    await connect();
    await client.post("/api/sync/resume");
    await upToDate(client);
    expect((await alice.client.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Unsent");
    await client.post("/api/sync/pause");
    await client.put(`/api/records/${id}/draft`, publishable("Given up"));
    await client.put("/api/sync/keeping", { hold_files: true, own: "always" });
    const removed = await client.delete("/api/sync/connect?data=remove&force=true");
    expect(removed.body).toMatchObject({ state: "local", user: null, pending: 0 });
    expect((await client.get("/api/sync/keeping")).body).toMatchObject({ hold_files: false, own: "opened" });
    expect((await client.get("/api/user/records")).body.hits.total).toBe(0);
    const bob = await api.person("bob");
    await client.post("/api/sync/resume");
    expect((await client.post("/api/sync/connect", { server: api.server.url, token: bob.token })).status).toBe(200);
    const fresh = await client.post("/api/records", publishable("Bob's"));
    await upToDate(client);
    expect((await bob.client.get(`/api/records/${fresh.body.id}/draft`)).status).toBe(200);
    expect((await client.get("/api/user/records")).body.hits.total).toBe(1);
  });

  test("DELETE forgets a server that was named before it could be reached, with its token", async () => {
    const { replica, client } = await replicaIn(await folder());
    await replica.contact.connectLater("http://127.0.0.1:9", "a-secret", false);
    await until(async () => replica.engine.connection.lastError !== null, "the server was looked for");
    expect((await client.delete("/api/sync/connect")).body).toMatchObject({ state: "local", server: null });
    expect(await recall(replica.host.db, "wished")).toBeUndefined();
  });

  test("a revoked token: work goes on locally, sign_in; after signing in again nothing is lost or sent twice", async () => {
    const api = await startApi("server");
    const alice = await api.person("alice");
    const [first, second] = [await newToken(api, "alice"), await newToken(api, "alice")];
    const client = await newReplica();
    await client.post("/api/sync/connect", { server: api.server.url, token: first.token });
    const id = (await client.post("/api/records", publishable())).body.id;
    await upToDate(client);
    await first.revoke();
    expect((await client.put(`/api/records/${id}/draft`, publishable("Locally"))).status).toBe(200);
    await until(async () => (await statusOf(client)).state === "sign_in", "sign_in");
    expect(await statusOf(client)).toMatchObject({ online: false, pending: 1 });
    const made = await client.post("/api/records", publishable("Second"));
    expect(made.status).toBe(201);
    expect((await client.post(`/api/records/${made.body.id}/draft/actions/publish`)).status).toBe(202);
    expect((await client.post("/api/groups", { name: "x" })).status).toBe(503);
    const bob = await api.person("bob");
    expect((await client.post("/api/sync/connect", { server: api.server.url, token: bob.token })).status).toBe(409);
    expect((await client.post("/api/sync/connect", { server: api.server.url, token: first.token })).status).toBe(400);
    expect((await statusOf(client)).state).toBe("sign_in");
    const again = await client.post("/api/sync/connect", { server: api.server.url, token: second.token });
    expect(again.status).toBe(200);
    await upToDate(client);
    expect((await alice.client.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Locally");
    expect((await alice.client.get(`/api/records/${made.body.id}`)).status).toBe(200);
    expect((await alice.client.get("/api/user/records")).body.hits.total).toBe(2);
  });

  test("Status states: the first that applies: local, paused, sign_in, syncing, needs_you, up_to_date; counts are always true; 503, message says that the server is needed, and why it is not asked", async () => {
    const api = await startApi("server");
    await api.person("alice");
    const { token, revoke } = await newToken(api, "alice");
    const client = await newReplica();
    const state = async () => {
      const { state: now, pending, rejected } = await statusOf(client);
      return `${now}: ${pending} pending, ${rejected} rejected`;
    };
    const refusal = async () => (await client.post("/api/groups", { name: "x" })).body;
    const because = (words: string) => ({ status: 503, message: `The server is needed for this, and ${words}` });
    expect(await state()).toBe("local: 0 pending, 0 rejected");
    expect(await refusal()).toEqual(because("this library is not connected to one. Connect it first."));
    const id = (await client.post("/api/records", publishable())).body.id;
    expect(await state()).toBe("local: 1 pending, 0 rejected");
    await client.post("/api/sync/connect", { server: api.server.url, token });
    await expect.poll(state).toBe("up_to_date: 0 pending, 0 rejected");
    const grants = [{ subject: { type: "user", id: "987654" }, permission: "view" }];
    await client.post(`/api/records/${id}/access/grants`, { grants });
    await expect.poll(state).toBe("needs_you: 0 pending, 1 rejected");
    await client.post("/api/sync/pause");
    await client.put(`/api/records/${id}/draft`, publishable("Anew"));
    expect(await state()).toBe("paused: 1 pending, 1 rejected");
    expect(await refusal()).toEqual(because("synchronisation is paused. Resume it first."));
    await client.post("/api/sync/resume");
    await expect.poll(state).toBe("needs_you: 0 pending, 1 rejected");
    await revoke();
    await client.put(`/api/records/${id}/draft`, publishable("Once more"));
    await expect.poll(state).toBe("sign_in: 1 pending, 1 rejected");
    expect(await refusal()).toEqual(because("it no longer accepts your access token. Sign in again."));
    await client.post("/api/sync/pause");
    expect(await state(), "paused comes before sign_in").toBe("paused: 1 pending, 1 rejected");
    await client.delete("/api/sync/connect");
    expect(await state()).toBe("local: 1 pending, 1 rejected");
  });

  test("the server is stopped: online false; started again at the same address: up_to_date within 30 s, without a nudge", async () => {
    const dataDir = await folder();
    const start = () =>
      openServer({
        dataDir,
        hostName: "127.0.0.1",
        port: 0,
        settings: defaultSettings,
        environment: machineEnvironment(),
        log: createLog("silent"),
      });
    let server = await start();
    let isRunning = true;
    const line = await faultProxyTo(() => (isRunning ? server.url : undefined));
    onTestFinished(async () => server.close());
    const userId = await server.services.users.create(
      newUser.parse({ username: "alice", email: "alice@example.org", full_name: "", affiliations: "", roles: [] }),
    );
    const { secret } = await server.services.tokens.issue(
      { userId, byPassword: false, defaultScopes: ["read", "write"] },
      { name: "t" },
    );
    const home = await folder();
    const running = await replicaIn(home);
    const { client } = running;
    await client.post("/api/sync/connect", { server: line.url, token: secret });
    await upToDate(client);
    await server.close();
    isRunning = false;
    await until(async () => (await statusOf(client)).online === false, "online false", 15_000);
    expect((await statusOf(client)).state).toBe("offline");
    const id = (await client.post("/api/records", publishable())).body.id;
    expect((await client.get("/api/records/abcde-fgh23")).status).toBe(503);
    expect((await client.post("/api/groups", { name: "x" })).status).toBe(503);
    server = await start();
    isRunning = true;
    await upToDate(client);
    expect((await new HttpClient(server.url, secret).get(`/api/records/${id}/draft`)).status).toBe(200);
    await running.close();
    const later = await replicaIn(home);
    await upToDate(later.client);
    expect((await later.client.get(`/api/records/${id}/draft`)).status).toBe(200);
  });
});
