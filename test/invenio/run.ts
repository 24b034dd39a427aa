import { readFileSync } from "node:fs";
import { parseCommandLine } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { HttpClient } from "../support/http-client.ts";
import { type People, type RunningInvenio, startInvenio } from "../support/invenio/real-invenio.ts";
import { factRows } from "./fact-rows.ts";
import { startFakeSite } from "./fake-site.ts";
import type { FactRow, SiteUnderTest } from "./site-under-test.ts";

const help = `usage: npm run test:invenio -- [--only F10]
       npm run test:invenio -- --server URL --people FILE

Installs and starts a real InvenioRDM with everything it needs, tries each fact of the upstream design on it and on the
fake, and prints which hold. Exit code 1 if one holds on one side alone, 3 if the real server could not be had.

  --only WORDS    facts whose number or sentence has these words
  --server URL    a server that runs already, with --people: {"ada": {"id", "token"}, "grace", "eve"} as JSON
`;

/** Facts that no row tries on the real server, and why. */
const untried = [
  "F7: search or queue out of reach: needs a second server with another address of search",
  "F9: a gateway's 504 that is carried out later: needs a gateway",
  "F16: 429, Retry-After and the count per User-Agent: the limits are switched off in tests",
  "F5, F6, F12, F13, F15, F16, F18, F20, F22: what Zenodo does otherwise: needs Zenodo",
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function realSite({ url, people }: Pick<RunningInvenio, "url" | "people">): Promise<SiteUnderTest> {
  const client = (name: keyof People) => new HttpClient(url, people[name].token);
  const [ada, grace, eve] = [client("ada"), client("grace"), client("eve")];
  await grace.post("/api/communities", {
    ...{ slug: "probe", metadata: { title: "Probe community" } },
    access: { visibility: "public", review_policy: "closed" },
  });
  const { body } = await grace.get("/api/communities/probe");
  if (typeof body?.id !== "string") throw new Error(`no community: ${JSON.stringify(body)}`);
  return {
    ...{ ada, grace, eve, guest: new HttpClient(url), community: body.id },
    ids: { ada: people.ada.id, grace: people.grace.id, eve: people.eve.id },
    together: (_method, _path, first, second) => Promise.all([first(), second()]),
  };
}

async function tried({ holds }: FactRow, site: SiteUnderTest): Promise<string | undefined> {
  try {
    await holds(site);
    return undefined;
  } catch (error) {
    return (error as Error).message.split("\n").join(" ").slice(0, 200);
  }
}

/** @returns how many rows hold on one side alone. */
async function compare(rows: readonly FactRow[], real: SiteUnderTest | undefined): Promise<number> {
  const { site: fake, fake: server } = await startFakeSite();
  let different = 0;
  for (const row of rows) {
    const onFake = await tried(row, fake);
    const onReal = real && row.needs === undefined ? await tried(row, real) : "not tried";
    if ((onFake === undefined) !== (onReal === undefined) && row.needs === undefined) different++;
    const word = (problem: string | undefined) => (problem === undefined ? "holds" : "FAILS").padEnd(6);
    say(
      `real ${onReal === "not tried" ? "-     " : word(onReal)} fake ${word(onFake)} ${row.fact.padEnd(4)} ${row.says}`,
    );
    if (row.needs !== undefined) say(`       NOT TRIED on a real server: it needs ${row.needs}`);
    else if (real && onReal !== undefined) say(`       real: ${onReal}`);
    if (onFake !== undefined) say(`       fake: ${onFake}`);
  }
  await server.stop();
  return different;
}

function parsed() {
  try {
    const { values } = parseCommandLine(process.argv.slice(2), {
      only: { type: "string", default: "" },
      server: { type: "string" },
      people: { type: "string" },
      help: { type: "boolean", default: false },
    });
    if ((values.server === undefined) !== (values.people === undefined))
      throw new UsageError("--server and --people belong together.");
    return values;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} See --help.\n`);
    process.exit(2);
  }
}

async function main(): Promise<number> {
  const { only, server, people, help: isHelp } = parsed();
  if (isHelp) {
    say(help);
    return 0;
  }
  const rows = factRows.filter(({ fact, says }) => fact === only || says.includes(only));
  const named =
    server !== undefined && people !== undefined
      ? { url: server, people: JSON.parse(readFileSync(people, "utf8")) as People, stop: async () => {} }
      : undefined;
  const started = named ?? (await startInvenio((line) => process.stderr.write(`${line}\n`)));
  const isMissing = "missing" in started;
  try {
    const different = await compare(rows, isMissing ? undefined : await realSite(started));
    for (const line of untried) say(`NOT TRIED on a real server: ${line}`);
    if (isMissing) {
      say(`NO REAL INVENIORDM: ${started.missing}`);
      say("Nothing above was compared with a real server.");
      return 3;
    }
    say(`${rows.length} rows, ${different} of them hold on one side alone`);
    return different === 0 ? 0 : 1;
  } finally {
    if (!isMissing) await started.stop();
  }
}

process.exitCode = await main();
