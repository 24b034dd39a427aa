import { describe, expect, test } from "vitest";
import { rebuildSearchIndex } from "../../server/opensearch/opensearch-index.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { startApi } from "../support/api.ts";
import { engineUrl, freshIndex } from "../support/engines/search-index.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import type { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";
import { givenDraft, givenRecord, metadata } from "../support/records.ts";
import { until } from "../support/until.ts";

const titled = (title: string) => ({ files: { enabled: false }, metadata: { ...metadata, title } });

async function totalOf(client: HttpClient, path: string): Promise<number> {
  const { status, body, text } = await client.get(path);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.hits.total;
}

describe("a server that searches in OpenSearch (issue 19, step 4)", () => {
  test("a user's next search finds what they wrote, through the other process (scale 4)", async () => {
    const api = await startApi("server", { isScaled: true });
    const ada = await api.as("ada");
    for (let at = 1; at <= 6; at += 1) {
      // Calls alternate between both processes, so three writes and a search change the process each time.
      const id = await givenDraft(ada, titled(`Walrus ${at}`));
      expect(await totalOf(ada, "/api/user/records?q=walrus")).toBe(at);
      await ada.put(`/api/records/${id}/draft`, titled(`Walrus and penguin ${at}`));
      expect(await totalOf(ada, "/api/user/records?q=penguin")).toBe(at);
    }
  });

  test("while it is away searches are answered 503 and nothing else fails; then it has what was written (scale 4)", async () => {
    const proxy = new FaultProxy(engineUrl);
    await proxy.listen();
    const index = freshIndex(proxy.url);
    // The server starts without its engine, too.
    proxy.fail("cut");
    const api = await startApi("server", { search: index.address });
    const ada = await api.as("ada");
    const first = await givenRecord(ada, titled("Before"));
    const refused = async () => {
      for (const path of ["/api/records?q=before", "/api/user/records"]) {
        const { status, headers, body } = await ada.get(path);
        expect({ status, message: body.message }).toEqual({
          status: 503,
          message: "Searching is not possible at the moment. Everything else works. Please try again soon.",
        });
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
    };
    await refused();
    proxy.heal();
    await until(async () => (await ada.get("/api/records?q=before")).status === 200, "the index is built");
    expect(await totalOf(ada, "/api/records?q=before")).toBe(1);

    proxy.fail("cut");
    await until(async () => (await ada.get("/api/records")).status === 503, "the engine is away");
    await refused();
    const second = await givenRecord(ada, titled("Before and after"));
    for (const path of [
      `/api/records/${first}`,
      `/api/records/${second}`,
      `/api/records/${first}/versions`,
      "/healthz",
    ])
      expect((await ada.get(path)).status, path).toBe(200);
    for (const path of ["/api/requests", "/api/users?q=ada", "/api/vocabularies/languages?q=deu"])
      expect((await ada.get(path)).status, path).toBe(200);
    expect((await ada.delete(`/api/records/${await givenDraft(ada, titled("Discarded"))}/draft`)).status).toBe(204);

    proxy.heal();
    await until(async () => (await ada.get("/api/records")).status === 200, "the engine is back");
    await expect.poll(() => totalOf(ada, "/api/records?q=before")).toBe(2);
    expect(await totalOf(ada, "/api/user/records")).toBe(2);
    await api.close();
    await proxy.close();
    await index.drop();
  });

  test("the index is rebuilt without a pause, and no change during it is lost (scale 4)", async () => {
    const index = freshIndex();
    const api = await startApi("server", { search: index.address });
    const ada = await api.as("ada");
    for (let at = 0; at < 5; at += 1) await givenRecord(ada, titled(`Walrus ${at}`));
    let written = 5;
    let isDone = false;
    const rebuilding = (async () => {
      for (let round = 0; round < 3; round += 1)
        await rebuildSearchIndex(api.server.host.db, index.address, createLog("error"));
      isDone = true;
    })();
    while (!isDone) {
      await givenRecord(ada, titled(`Walrus ${written}`));
      written += 1;
      expect(await totalOf(ada, "/api/records?q=walrus")).toBe(written);
    }
    await rebuilding;
    await givenRecord(ada, titled("The last walrus"));
    expect(await totalOf(ada, "/api/records?q=walrus")).toBe(written + 1);
    await api.close();
    await index.drop();
  });

  test("carrel reindex builds it beside the one that a running server searches (scale 4)", async () => {
    const index = freshIndex();
    const api = await startApi("server", { search: index.address });
    const ada = await api.as("ada");
    await givenRecord(ada, titled("Walrus"));
    expect(await totalOf(ada, "/api/records?q=walrus")).toBe(1);
    const { stdout, code } = await runCarrel("reindex", "--data", api.dataDir, "--search", index.address);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, event: "reindexed", families: 1 });
    expect(await totalOf(ada, "/api/records?q=walrus")).toBe(1);
    const admin = await api.as("admin");
    const entries = await admin.get("/api/audit-logs?action=search.rebuild");
    expect(entries.status).toBe(200);
    expect(entries.body.hits.total).toBe(1);
    await api.close();
    await index.drop();
  });

  test("who loses access finds nothing more, in hits, totals and facets (search 1)", async () => {
    const api = await startApi("server");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const id = await givenRecord(ada, titled("Secret walrus"));
    const seen = async (client: HttpClient) => {
      const { body } = await client.get("/api/records?q=walrus");
      const counted = body.aggregations.access_status.buckets.map((one: { doc_count: number }) => one.doc_count);
      return [body.hits.hits.length, body.hits.total, ...counted];
    };
    // A reader waits for the writes of others for a while only.
    await expect.poll(() => seen(api.anonymous), { timeout: 60_000 }).toEqual([1, 1, 1]);
    const draft = await ada.post(`/api/records/${id}/draft`);
    await ada.put(`/api/records/${id}/draft`, { ...draft.body, access: { record: "restricted", files: "restricted" } });
    await ada.post(`/api/records/${id}/draft/actions/publish`);
    // Hits are checked against the rows; totals may come later.
    for (const reader of [api.anonymous, bob]) {
      expect((await seen(reader))[0]).toBe(0);
      await expect.poll(() => seen(reader), { timeout: 60_000 }).toEqual([0, 0]);
    }
    expect(await seen(ada)).toEqual([1, 1, 1]);
    const grant = { subject: { type: "user", id: await api.idOf("bob") }, permission: "view" };
    const given = await ada.post(`/api/records/${id}/access/grants`, { grants: [grant] });
    expect(given.status).toBe(201);
    expect(await seen(bob)).toEqual([1, 1, 1]);
    expect(await seen(api.anonymous)).toEqual([0, 0]);
    await ada.delete(`/api/records/${id}/access/grants/${given.body.hits.hits[0].id}`);
    expect(await seen(bob)).toEqual([0, 0]);
  });
});
