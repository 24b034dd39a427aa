import { type BenchServer, startBenchServer } from "../support/bench-server.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import type { BenchCase } from "./bench-case.ts";
import { worstInputs } from "./worst-inputs.ts";

/** The limit of a single block of the event loop, in milliseconds (architecture, rule 10). */
const allowed = 50;
/** The first call of a kind is slower, because code is loaded. */
const rounds = 3;

type Parts = Record<string, unknown>;

const people = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => ({
    person_or_org: { type: "personal", family_name: `${name} ${i}`, given_name: "Ada" },
    affiliations: [{ name: "University" }],
  }));
const subjects = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => ({ subject: `${name} ${i}` }));
const words = (bytes: number, word: string): string => `${word} of a text that goes on. `.repeat(bytes / 30);

const draftOf = (metadata: Parts) => ({
  files: { enabled: false },
  metadata: {
    title: "A dataset about deep sea cores",
    resource_type: { id: "dataset" },
    publication_date: "2026-11-21",
    creators: people(1, "Family"),
    ...metadata,
  },
});

/** Contents of a draft, different in each round. */
const drafts: Readonly<Record<string, (round: string) => Parts>> = {
  "2,000 people": (round) => ({ creators: people(2000, round) }),
  "a description of 1 MB": (round) => ({ description: `<p>${words(1_000_000, round)}</p>` }),
  "10,000 subjects": (round) => ({ subjects: subjects(10_000, round) }),
  "50,000 subjects": (round) => ({ subjects: subjects(50_000, round) }),
  "1,000 descriptions": (round) => ({
    additional_descriptions: Array.from({ length: 1000 }, (_, i) => ({
      description: `<p>${words(2000, `${round} ${i}`)}</p>`,
      type: { id: "methods" },
    })),
  }),
};

/** Calls without preparation. */
const calls: Readonly<Record<string, (client: HttpClient) => Promise<Answer>>> = {
  "9 MB that are no JSON": (client) =>
    client.call("POST", "/api/records", `{"metadata":${"[".repeat(9_000_000)}`, {
      headers: { "content-type": "application/json" },
    }),
  "9 MB of a JSON that is no record": (client) => client.post("/api/records", { a: words(9_000_000, "word") }),
  "300,000 values nobody knows": (client) =>
    client.post("/api/records", {
      metadata: Object.fromEntries(subjects(300_000, "a").map((one, i) => [`k${i}`, one])),
    }),
  "19 MB of desk notes": async (client) => {
    const value = { text: words(940_000, "note") };
    if ((await client.get("/api/sync/desk/reviews/n0")).status === 404)
      for (let n = 0; n < 20; n += 1) await client.put(`/api/sync/desk/reviews/n${n}`, { value });
    return client.get("/api/sync/desk/reviews");
  },
  "a desk note of 240,000 values": (client) =>
    client.put("/api/sync/desk/reviews/many", { value: { list: Array.from({ length: 240_000 }, () => []) } }),
  "a query of 8,000 letters": (client) => client.get(`/api/records?q=${"a* OR b~ ".repeat(800)}`),
};

async function must(answer: Promise<Answer>): Promise<Answer["body"]> {
  const { status, body, text } = await answer;
  if (status >= 400) throw new Error(`${status}: ${text.slice(0, 300)}`);
  return body;
}

async function measured(work: (server: BenchServer) => Promise<() => Promise<unknown>>) {
  const server = await startBenchServer();
  try {
    const run = await work(server);
    const turns: number[] = [];
    for (let round = 0; round < rounds; round += 1) turns.push(await server.longestTurn(run));
    const all = turns.map((ms) => ms.toFixed(0)).join(", ");
    return {
      ours: turns.sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN,
      reference: allowed,
      unit: "ms",
      against: `ms allowed (${all})`,
    };
  } finally {
    await server.close();
  }
}

const turn = (name: string, work: (server: BenchServer) => Promise<() => Promise<unknown>>): BenchCase => ({
  name: `longest turn: ${name}`,
  reach: "<= 1",
  run: () => measured(work),
});

let edition = 0;
/** A text that no draft had before. */
function next(): string {
  edition += 1;
  return `edition${edition}`;
}

export const bench: BenchCase[] = [
  ...Object.entries(drafts).flatMap(([name, content]) => [
    turn(
      `POST of ${name}`,
      async ({ client }) =>
        () =>
          must(client.post("/api/records", draftOf(content(next())))),
    ),
    turn(`PUT of ${name}`, async ({ client }) => {
      const { id } = await must(client.post("/api/records", draftOf(content(next()))));
      return () => must(client.put(`/api/records/${id}/draft`, draftOf(content(next()))));
    }),
    turn(`another title beside ${name}`, async ({ client }) => {
      const rest = content(next());
      const { id } = await must(client.post("/api/records", draftOf(rest)));
      return () => must(client.put(`/api/records/${id}/draft`, draftOf({ ...rest, title: next() })));
    }),
    turn(`publishing ${name}`, async ({ client }) => async () => {
      const { id } = await must(client.post("/api/records", draftOf(content(next()))));
      await must(client.post(`/api/records/${id}/draft/actions/publish`));
    }),
    turn(`GET of ${name}`, async ({ client }) => {
      const { id } = await must(client.post("/api/records", draftOf(content(next()))));
      return () => must(client.get(`/api/records/${id}/draft`));
    }),
    turn(`DataCite XML of ${name}`, async ({ client }) => {
      const { id } = await must(client.post("/api/records", draftOf(content(next()))));
      await must(client.post(`/api/records/${id}/draft/actions/publish`));
      const headers = { accept: "application/vnd.datacite.datacite+xml" };
      return () => must(client.get(`/api/records/${id}`, { headers }));
    }),
  ]),
  ...Object.entries(calls).map(([name, call]) =>
    turn(
      name,
      async ({ client }) =>
        () =>
          call(client),
    ),
  ),
  ...Object.entries(worstInputs).map(([name, input]) => turn(name, async (server) => () => input(server, next()))),
];
