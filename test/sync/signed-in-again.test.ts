import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startApi } from "../support/api.ts";
import { HttpClient } from "../support/http-client.ts";
import { newReplica, stateOf, synced } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

/** Passes calls on to a server; waiting calls for news with `token` get no answer until they are refused. */
async function holdingProxy(url: string, token: string) {
  const held: ServerResponse[] = [];
  const waited = new Set<string>();
  const proxy = createServer((req, res) => {
    const isWaiting = req.url?.includes("wait=") ?? false;
    if (isWaiting) waited.add(String(req.headers.authorization));
    if (isWaiting && req.headers.authorization === `Bearer ${token}`) return void held.push(res);
    const { method, headers } = req;
    const far = request(new URL(req.url ?? "", url), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    far.once("error", () => res.destroy());
    req.pipe(far);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const refuse = () => {
    for (const res of held)
      res.writeHead(401, { "content-type": "application/json" }).end('{"message":"Unauthorized"}');
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, held, waited, refuse };
}

test("a late refusal of the old, revoked token does not sign out a user who has signed in again (security 9)", async () => {
  const api = await startApi("server");
  const { token: old } = await api.person("alice");
  const proxy = await holdingProxy(api.server.url, old);
  const replica = await newReplica();
  const client = new HttpClient(replica.url, replica.guard.secret);
  expect((await client.post("/api/sync/connect", { server: proxy.url, token: old })).status).toBe(200);
  await until(async () => proxy.held.length > 0, "waits for news");
  const { token } = (await (await api.onServer("alice")).post("/api/tokens", { name: "again" })).body;
  expect((await client.post("/api/sync/connect", { server: proxy.url, token })).status).toBe(200);
  proxy.refuse();
  await until(async () => proxy.waited.has(`Bearer ${token}`), "waits for news with the new token");
  await synced(client);
  expect(await stateOf(client)).toBe("up_to_date");
});
