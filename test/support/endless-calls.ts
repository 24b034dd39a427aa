import type { HttpClient } from "./http-client.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "./records.ts";

/** Calls of one user, again and again, until they are stopped. */
export async function workOn(client: HttpClient, isOver: () => boolean): Promise<{ calls: number; wrong: string[] }> {
  const wrong: string[] = [];
  let calls = 0;
  const expectOk = async (what: string, call: ReturnType<HttpClient["get"]>) => {
    const { status, text } = await call.catch((error: Error) => ({ status: 0, text: error.message }));
    calls += 1;
    if (status < 200 || status > 299) wrong.push(`${what}: ${status} ${text.slice(0, 200)}`);
  };
  const record = await givenRecord(client);
  while (!isOver()) {
    const id = await givenDraft(client, { ...withoutFiles, metadata });
    await expectOk("save", client.put(`/api/records/${id}/draft`, { ...withoutFiles, metadata }));
    await expectOk("publish", client.post(`/api/records/${id}/draft/actions/publish`));
    await expectOk("read the published", client.get(`/api/records/${id}`));
    await expectOk("read", client.get(`/api/records/${record}`));
    await expectOk("search", client.get("/api/records?size=2"));
  }
  return { calls, wrong };
}

/** A replica's poll, again and again. */
export async function pollOn(client: HttpClient, isOver: () => boolean): Promise<string[]> {
  const wrong: string[] = [];
  let { cursor } = (await client.get("/api/sync/changes")).body;
  while (!isOver()) {
    const answer = await client.get(`/api/sync/changes?wait=30&cursor=${cursor}`);
    if (answer.status !== 200 && answer.status !== 204) wrong.push(`${answer.status} ${answer.text}`);
    cursor = answer.body?.cursor ?? cursor;
  }
  return wrong;
}
