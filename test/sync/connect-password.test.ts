import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { replicaOf } from "../support/two-replicas.ts";

describe("signing in a computer by password (requests 2.3, desktop sign-in)", () => {
  test("makes a token for this computer and stores no password; reports errors and revokes an unused token", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const own = await api.onServer("alice");
    const boss = await api.onServer("bob");
    const password = "correct horse battery";
    for (const person of [own, boss])
      await api.server.services.signIn.resetPassword((await person.get("/api/me")).body.id, password);
    const server = (await a.get("/api/sync/status")).body.server;
    const connect = (rest: object) => a.post("/api/sync/connect", { server, ...rest });
    const names = async (person: typeof own) =>
      (await person.get("/api/tokens")).body.hits.hits.map(({ name }: { name: string }) => name);

    for (const account of ["alice", "ALICE@example.org"]) {
      const answer = await connect({ account, password });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject({ online: true, user: { username: "alice" } });
    }
    expect((await names(own)).filter((name: string) => name === `Carrel on ${hostname()}`)).toHaveLength(2);

    const other = await connect({ account: "bob", password });
    expect(other.status).toBe(409);
    expect(await names(boss)).not.toContain(`Carrel on ${hostname()}`);

    const wrong = await connect({ account: "alice", password: "nonsense" });
    expect(wrong.status).toBe(400);
    expect(wrong.body.message).toContain("does not accept this name and password");
    expect((await connect({ account: "alice" })).status).toBe(400);
    expect((await connect({ account: "alice", password, server: "http://127.0.0.1:9" })).status).toBe(400);
    expect((await a.get("/api/sync/status")).body).toMatchObject({ online: true, user: { username: "alice" } });
  });
});
