import { afterEach, expect, test, vi } from "vitest";
import { queryClient } from "../../renderer/api-client/query-client.ts";
import type { RecordBody } from "../../renderer/api-client/record-types.ts";
import { draftQuery } from "../../renderer/api-client/records.ts";
import { DraftSession } from "../../renderer/pages/draft/draft-session.ts";

const id = "abcde-12345";
const { queryKey } = draftQuery(id);

const bodyOf = (title: string, revision_id: number) =>
  ({
    ...{ id, revision_id, errors: [], merged: [], custom_fields: {}, pids: {} },
    metadata: { title },
    access: { record: "public", files: "public", embargo: { active: false, reason: null } },
    files: { enabled: false, default_preview: null, order: [] },
  }) as unknown as RecordBody;

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

test("a body that the page tells of after a save has replaced it takes no letter away and doubles none (records 3.3)", async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  let revision = 1;
  vi.stubGlobal("fetch", async (_path: string, { body }: { body?: string }) => {
    if (body === undefined) return Response.json({ user: null });
    revision += 1;
    return Response.json(bodyOf(JSON.parse(body).metadata.title, revision));
  });
  const first = bodyOf("smal", 1);
  queryClient.setQueryData(queryKey, first);
  const session = new DraftSession(first);
  const type = (title: string) => {
    const { content } = session.current();
    session.change({ ...content, metadata: { ...content.metadata, title } });
  };
  type("small l");
  await session.save();
  type("small libr");
  session.receive(first);
  expect(session.current().content.metadata.title).toBe("small libr");
  const kept = queryClient.getQueryData(queryKey);
  if (kept) session.receive(kept);
  expect(session.current().content.metadata.title).toBe("small libr");
  await session.save();

  const others = bodyOf("small libr, by two", 9);
  queryClient.setQueryData(queryKey, others);
  const news = queryClient.getQueryData(queryKey);
  if (news) session.receive(news);
  expect(session.current().content.metadata.title, "what others changed is still taken in").toBe("small libr, by two");
});

test("a save without an answer that arrived is told of before it is read again: no letter is doubled (web 5, What is typed)", async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  let stored = bodyOf("Not a l", 1);
  let isAnswering = false;
  const sent: { title: string; basis: string | null }[] = [];
  vi.stubGlobal("fetch", async (path: string, { body, headers }: { body?: string; headers?: HeadersInit }) => {
    if (body === undefined) return path.endsWith("/draft") ? Response.json(stored) : Response.json({ user: null });
    const { title } = JSON.parse(body).metadata;
    sent.push({ title, basis: new Headers(headers).get("If-Match") });
    stored = bodyOf(title, stored.revision_id + 1);
    if (!isAnswering) throw new TypeError("the server was killed before it answered");
    return Response.json(stored);
  });
  queryClient.setQueryData(queryKey, stored);
  const session = new DraftSession(stored);
  const type = (title: string) => {
    const { content } = session.current();
    session.change({ ...content, metadata: { ...content.metadata, title } });
  };
  type("Not a letter of this");
  await session.save();
  type("Not a letter of this.");
  // The page hears of the change when its stream of events is back, and reads the draft.
  queryClient.setQueryData(queryKey, stored);
  session.receive(stored);
  expect(session.current().content.metadata.title).toBe("Not a letter of this.");
  isAnswering = true;
  await session.save();
  expect(stored.metadata.title).toBe("Not a letter of this.");
  expect(sent.map(({ title }) => title)).toEqual(["Not a letter of this", "Not a letter of this."]);
  expect(sent.at(-1)?.basis).toMatch(/2/);
});
