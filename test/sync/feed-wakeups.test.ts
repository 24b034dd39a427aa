import { describe, expect, onTestFinished, test } from "vitest";
import { feedSignal } from "../../server/sync/feed-signal.ts";
import { type Api, startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import { runCarrel } from "../support/process.ts";
import { publishable } from "../support/reviews.ts";
import { superuser } from "../support/superuser.ts";
import { until } from "../support/until.ts";

const longestWaitSeconds = 30;
/** Much less than the wait: whatever is not woken fails the test. */
const wokenWithinMs = 15_000;

/** The waits of some people, each begun anew when it has ended; `woken` names those that were woken, in their order. */
function waitsOf(api: Api) {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const signal = feedSignal(api.server.host, closing.signal);
  const woken: string[] = [];
  return {
    woken,
    closing,
    wait: async (name: string, userId: string) => {
      await signal.wait(userId, longestWaitSeconds * 1000).ended;
      woken.push(name);
    },
  };
}

const isWoken = (woken: string[], count: number) =>
  until(() => woken.length >= count, `${count} are woken`, wokenWithinMs);

describe("only changes that concern its user wake a waiting poll (fault 9)", () => {
  test("access given to the user or their group, changed or withdrawn, wakes it", async () => {
    const api = await startApi("server");
    const [alice, bob] = [await api.as("alice"), await api.idOf("bob")];
    await api.server.services.groups.provide({ name: "lab", description: null, is_managed: true });
    const id = must(await alice.post("/api/records", publishable("Shared")), 201).body.id;
    const grants = `/api/records/${id}/access/grants`;
    const give = async (type: string, subject: string) =>
      must(await alice.post(grants, { grants: [{ permission: "edit", subject: { type, id: subject } }] }), 201);
    const member = (how: "add" | "remove") =>
      api.server.services.memberships.change(superuser, { userId: bob, how, body: { groups: ["lab"] } });
    await give("role", "lab");
    const causes: Record<string, () => Promise<unknown>> = {
      "joined the group": () => member("add"),
      "work of a colleague": () => alice.put(`/api/records/${id}/draft`, publishable("Another title")),
      "left the group": () => member("remove"),
      "access given": () => give("user", bob),
      "access withdrawn": () => alice.delete(`${grants}/1`),
    };
    const { wait, woken } = waitsOf(api);
    for (const [name, cause] of Object.entries(causes)) {
      const before = woken.length;
      void wait(name, bob);
      await cause();
      await isWoken(woken, before + 1);
    }
    expect(woken).toEqual(Object.keys(causes));
  });

  test("an object that the user opens on another computer wakes it", async () => {
    const api = await startApi("server");
    const [alice, bob] = [await api.as("alice"), await api.onServer("bob")];
    const id = must(await alice.post("/api/records", publishable("Public")), 201).body.id;
    must(await alice.post(`/api/records/${id}/draft/actions/publish`), 202);
    const { cursor } = (await bob.get("/api/sync/changes")).body;
    let kinds: string[] | undefined;
    void bob.get(`/api/sync/changes?cursor=${cursor}&wait=${longestWaitSeconds}`).then(({ body }) => {
      kinds = body.changes.map(({ kind }: { kind: string }) => kind);
    });
    must(await bob.post("/api/sync/open", { kind: "record", id }), 200);
    await until(() => kinds !== undefined, "the poll is answered", wokenWithinMs);
    expect(kinds).toEqual(["family"]);
  });

  test("a commit of another process wakes it, since nobody knows whom that concerns", async () => {
    const api = await startApi("server");
    const { wait, woken } = waitsOf(api);
    void wait("bob", await api.idOf("bob"));
    // A process of its own: two connections of one thread would wait for each other.
    const user = ["--username", "eve", "--email", "eve@example.org"];
    expect((await runCarrel("users", "create", "--data", api.dataDir, ...user)).stderr).toBe("");
    await isWoken(woken, 1);
  });

  test("changes that concern others do not wake it; closing the server ends all polls", async () => {
    const api = await startApi("server");
    const [alice, bob, carol] = [await api.idOf("alice"), await api.idOf("bob"), await api.idOf("carol")];
    const { wait, woken, closing } = waitsOf(api);
    const waits = [wait("alice", alice), wait("bob", bob), wait("carol", carol), wait("bob's other", bob)];
    const client = await api.as("alice");
    const id = must(await client.post("/api/records", publishable("Mine")), 201).body.id;
    await isWoken(woken, 1);
    const grants = [{ permission: "view", subject: { type: "user", id: bob } }];
    must(await client.post(`/api/records/${id}/access/grants`, { grants }), 201);
    await isWoken(woken, 3);
    expect(woken).toEqual(["alice", "bob", "bob's other"]);
    closing.abort();
    await Promise.all(waits);
    expect(woken).toEqual(["alice", "bob", "bob's other", "carol"]);
  });
});
