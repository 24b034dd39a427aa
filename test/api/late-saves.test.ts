import { expect, test, vi } from "vitest";
import { queryClient } from "../../renderer/api-client/query-client.ts";
import { draftQuery } from "../../renderer/api-client/records.ts";
import { DraftSession } from "../../renderer/pages/draft/draft-session.ts";
import { startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { Random } from "../support/random.ts";
import { givenDraft, metadata, withoutFiles } from "../support/records.ts";

const words = "Not a letter of this may be lost, whatever happens.";
const sessions = 40;
const plainFetch = globalThis.fetch;

const pathOf = (id: string) => `/api/records/${id}/draft`;
const titled = (title: string) => ({ ...withoutFiles, metadata: { ...metadata, title } });

const saving = (revision: number, editor: string) => ({
  headers: { "if-match": `"${revision}"`, prefer: "handling=merge", "draft-editor": editor },
});

test("a save based on a state before an earlier save of its editor: 412, nothing is stored; one of another editor is merged", async () => {
  const alice = await (await startApi()).as("alice");
  const id = await givenDraft(alice, titled("Not a l"));
  const { revision_id } = (await alice.get(pathOf(id))).body;
  const save = (title: string, editor: string, revision = revision_id) =>
    alice.put(pathOf(id), titled(title), saving(revision, editor));
  const first = await save("Not a letter of", "one");
  expect(first.status).toBe(200);
  expect((await save("Not a letter of this.", "one")).status).toBe(412);
  expect((await alice.get(pathOf(id))).body.metadata.title).toBe("Not a letter of");
  const read = await save("Not a letter of this.", "one", first.body.revision_id);
  expect(read.body.metadata.title).toBe("Not a letter of this.");
  const other = await save("Do not a l", "two");
  expect(other.body.metadata.title).toBe("Do not a letter of this.");
});

/** Calls of a page, of which some are lost before they arrive, some after, and some arrive late. */
function badLine(alice: HttpClient, random: Random) {
  const late: (() => Promise<unknown>)[] = [];
  let isBad = true;
  const deliver = async (path: string, { method, body, headers }: RequestInit): Promise<Response> => {
    const sent = { headers: Object.fromEntries(new Headers(headers)) };
    const answer = method === "PUT" ? await alice.put(path, JSON.parse(String(body)), sent) : await alice.get(path);
    return Response.json(answer.body, { status: answer.status });
  };
  return {
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      if (!path.endsWith("/draft")) return Response.json({ user: null });
      const isLost = isBad && random.chance(init.method === "PUT" ? 0.5 : 0.2);
      if (!isLost) return deliver(path, init);
      if (init.method === "PUT" && random.chance(0.7)) {
        if (random.chance(0.5)) late.push(() => deliver(path, init));
        else await deliver(path, init);
      }
      throw new TypeError("the line was cut");
    },
    async bringLate(): Promise<void> {
      await late.shift()?.();
    },
    async mend(): Promise<void> {
      for (const call of late.splice(0)) await call();
      isBad = false;
    },
  };
}

/** One user types a sentence in one editor over a bad line. @returns the title here and on the server. */
async function typeOver(alice: HttpClient, seed: number): Promise<{ shown: unknown; stored: unknown }> {
  const random = new Random(seed);
  const id = await givenDraft(alice, titled(""));
  const line = badLine(alice, random);
  // The page calls by path alone, the test's own client by the whole address.
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) =>
    path.startsWith("/") ? line.fetch(path, init) : plainFetch(path, init),
  );
  const readAgain = async () => {
    const { body } = await alice.get(pathOf(id));
    queryClient.setQueryData(draftQuery(id).queryKey, body);
    return queryClient.getQueryData(draftQuery(id).queryKey) ?? body;
  };
  const session = new DraftSession(await readAgain());
  for (let at = 0; at < words.length; ) {
    const more = words.slice(at, at + 1 + random.below(8));
    at += more.length;
    const { content } = session.current();
    session.change({ ...content, metadata: { ...content.metadata, title: `${content.metadata.title ?? ""}${more}` } });
    if (random.chance(0.6)) await session.save();
    if (random.chance(0.4)) session.receive(await readAgain());
    if (random.chance(0.3)) await line.bringLate();
  }
  await line.mend();
  for (let times = 0; times < 3; times++) await session.save();
  return { shown: session.current().content.metadata.title, stored: (await readAgain()).metadata.title };
}

test(`${sessions} users type over a line that loses calls, loses answers and delivers late: no letter is lost or doubled (web 5, What is typed)`, async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  const alice = await (await startApi()).as("alice");
  for (let seed = 1; seed <= sessions; seed++) {
    expect(await typeOver(alice, seed), `seed ${seed}`).toEqual({ shown: words, stored: words });
  }
  vi.unstubAllGlobals();
});
