import { describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { givenRecord as givenRecordWithFiles } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenRecord, metadata, publish, withoutFiles } from "../support/records.ts";

const asProgram = (name: string) => ({ headers: { "user-agent": name } });

/** Stores counts at once instead of by the job, and fetches them on a user's replica. */
async function counted(api: Api, name: string): Promise<void> {
  await api.server.services.usage.flush();
  if (api.role === "replica") await (await api.replicaOf(name)).engine.refresh();
}

/** As a robot, so that this read is not counted; with a query, so that no stored answer is used. */
const statsOf = async (client: HttpClient, id: string) =>
  (await client.get(`/api/records/${id}?fresh=1`, asProgram("stats-bot/1"))).body.stats;

const none = { views: 0, unique_views: 0, downloads: 0, unique_downloads: 0, data_volume: 0 };

describe.each(roles)("counting on the %s", (role) => {
  test("views and downloads, unique once per visitor and hour, of this version and of all (search 6.1)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const first = await givenRecordWithFiles(alice, { "a.txt": "0123456789", "b.txt": "01234" });
    expect(await statsOf(alice, first)).toEqual({ this_version: none, all_versions: none });
    const { id: second } = (await alice.post(`/api/records/${first}/versions`)).body;
    await alice.put(`/api/records/${second}/draft`, withoutFiles);
    await publish(alice, second);
    const visit = (path: string, program: string, headers = {}) =>
      api.anonymous.get(`/api/records/${path}`, { headers: { "user-agent": program, ...headers } });
    await visit(first, "Firefox");
    await visit(first, "Firefox");
    await visit(second, "Firefox");
    await visit(first, "Safari");
    await visit(`${first}/files/a.txt/content`, "Firefox");
    await visit(`${first}/files/a.txt/content`, "Firefox", { range: "bytes=0-3" });
    await visit(`${first}/files/a.txt/content`, "Firefox", { range: "bytes=4-" });
    await visit(`${first}/files-archive`, "Firefox");
    // The archive is empty.
    expect((await visit(`${second}/files-archive`, "Safari")).status).toBe(200);
    await counted(api, "alice");
    const { this_version, all_versions } = await statsOf(alice, first);
    expect(this_version.views).toBe(3);
    expect(this_version.unique_views).toBe(2);
    expect(all_versions.views).toBe(4);
    expect(all_versions.unique_views).toBe(2);
    expect(this_version).toMatchObject({ downloads: 4, unique_downloads: 1, data_volume: 10 + 10 + 15 });
    expect((await statsOf(alice, second)).all_versions).toMatchObject({ downloads: 4, unique_downloads: 1 });
  });

  test("mostviewed and mostdownloaded sort by the unique counts of all versions; stats.* can be asked (search 7)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const ids: string[] = [];
    for (const views of [1, 3, 0, 2]) {
      const id = await givenRecordWithFiles(alice, { "a.txt": "text" });
      for (let n = 0; n < views; n++) await api.anonymous.get(`/api/records/${id}`, asProgram(`Reader ${n}`));
      for (let n = views; n < 3; n++) {
        await api.anonymous.get(`/api/records/${id}/files/a.txt/content`, asProgram(`Reader ${n}`));
      }
      ids.push(id);
    }
    await counted(api, "alice");
    const found = async (query: string) =>
      (await alice.get(`/api/records?${query}`)).body.hits.hits.map((hit: { id: string }) => ids.indexOf(hit.id));
    expect(await found("sort=mostviewed")).toEqual([1, 3, 0, 2]);
    expect(await found("sort=mostdownloaded")).toEqual([2, 0, 3, 1]);
    expect(await found("q=stats.all_versions.unique_views:>1&sort=oldest")).toEqual([1, 3]);
    expect(await found("q=stats.all_versions.unique_views:0")).toEqual([2]);
    expect(await found("q=stats.this_version.views:[0 TO 1]&sort=oldest")).toEqual([0, 2]);
    expect(await found("q=_exists_:stats AND NOT stats.this_version.downloads:{0 TO *]")).toEqual([1]);
    await alice.post(`/api/records/${ids[3]}/draft`);
    expect(await found("sort=mostviewed")).toEqual([1, 3, 0, 2]);
    const own = await alice.get("/api/user/records?sort=mostviewed");
    expect(own.body.hits.hits.map((hit: { id: string }) => ids.indexOf(hit.id))).toEqual([1, 3, 0, 2]);
  });
});

test("robots, HEAD and refused reads are not counted; the page of a record is (search 6.1)", async () => {
  const api = await startApi();
  const alice = await api.as("alice");
  const id = await givenRecord(alice, { ...withoutFiles, access: { record: "restricted", files: "restricted" } });
  await api.anonymous.get(`/api/records/${id}`);
  const open = await givenRecord(alice);
  for (const robot of ["Googlebot/2.1 (+http://www.google.com/bot.html)", "Bingbot", "my crawler", "YandexBot/3.0"]) {
    await api.anonymous.get(`/api/records/${open}`, asProgram(robot));
  }
  await api.anonymous.head(`/api/records/${open}`);
  await api.anonymous.get(`/records/${open}`);
  await api.server.services.usage.flush();
  expect((await statsOf(alice, id)).this_version).toEqual(none);
  expect((await statsOf(alice, open)).this_version).toEqual({ ...none, views: 1, unique_views: 1 });
});

test("a view changes neither revision nor feed, and leaves nothing of the visitor (hosts-and-sync 6)", async () => {
  const api = await startApi();
  const alice = await api.as("alice");
  const id = await givenRecord(alice, { ...withoutFiles, metadata: { ...metadata, title: "Seen" } });
  const feed = () => api.server.host.db.selectFrom("feed").selectAll().execute();
  const [before, was] = [await feed(), (await alice.get(`/api/records/${id}`)).body];
  await api.anonymous.get(`/api/records/${id}`, asProgram("Firefox of a person"));
  await api.server.services.usage.flush();
  expect(await feed()).toEqual(before);
  const now = (await alice.get(`/api/records/${id}?fresh=1`)).body;
  expect(now).toEqual({ ...was, stats: now.stats });
  expect(now.stats.this_version.views).toBe(2);
  const rows = await api.server.host.db.selectFrom("usage").selectAll().execute();
  expect(rows.map(({ id: counted }) => counted).sort()).toEqual([id, now.parent.id].sort());
  expect(JSON.stringify(rows)).not.toMatch(/Firefox|127\.0\.0\.1/);
});
