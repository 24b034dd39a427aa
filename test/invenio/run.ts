import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCommandLine } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { HttpClient } from "../support/http-client.ts";
import { type RunningInvenio, startInvenio } from "../support/invenio/real-invenio.ts";
import { readSiteFile, type SiteFile } from "../support/invenio/site-file.ts";
import { runCarrel } from "../support/process.ts";
import { repository } from "../support/run.ts";
import { factRows } from "./fact-rows.ts";
import { startFakeSite } from "./fake-site.ts";
import type { FactRow, SiteUnderTest } from "./site-under-test.ts";
import { runWeek } from "./week/week.ts";

const help = `usage: npm run test:invenio -- [--only WORDS] [--site FILE]
       npm run test:invenio -- --week [--seed N] [--site FILE]
       npm run test:invenio -- --serve FILE

Installs and starts a real InvenioRDM with everything it needs. Tries each fact of the upstream design on it and on the
fake, then the rows of the adapter with real replicas, then "carrel upstream-check", and prints which hold. Exit code 1
if a fact holds on one side alone or anything else fails, 3 if the real server could not be had.

  --only WORDS    facts whose number or sentence, and rows whose name, has these words
  --week          instead of all that, a week of drafting by two desks and a browser, with faults, in ten minutes
  --seed N        what happens in that week; --days N for fewer days than seven
  --serve FILE    starts the server, writes to FILE how to reach it, and stops it when interrupted
  --site FILE     uses the server of such a file, which runs already
`;

/** Facts that no row tries on the real server, and why. */
const untried = [
  "F7: search or queue out of reach: needs a second server with another address of search",
  "F9: a gateway's 504 that is carried out later: needs a gateway",
  "F16: 429 and the count per User-Agent and address: the limits of the tests are wide",
  "F5, F6, F12, F13, F15, F16, F18, F20, F22: what Zenodo does otherwise: needs Zenodo",
];

/** The rows of the adapter. `npm test` runs them on the fake. */
const adapterRows = ["reading", "polling", "drafts", "files", "publish", "requests", "sharing"].map(
  (name) => `test/sync/invenio-${name}.test.ts`,
);
/** What `carrel upstream-check` prints as different here: what only Zenodo does, and DOIs, which need DataCite. */
const elsewhere = /^F(15|16|18) +DIFFERS .*\(Zenodo\)$|^F8 +DIFFERS a second reservation of a DOI/;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function realSite({ url, people }: SiteFile): Promise<SiteUnderTest> {
  const [ada, grace, eve] = people.map(({ id, tokens }) => ({ id, client: new HttpClient(url, tokens[0]?.token) }));
  if (!ada || !grace || !eve) throw new Error("the real server has fewer than three people");
  await grace.client.post("/api/communities", {
    ...{ slug: "probe", metadata: { title: "Probe community" } },
    access: { visibility: "public", review_policy: "closed" },
  });
  const { body } = await grace.client.get("/api/communities/probe");
  if (typeof body?.id !== "string") throw new Error(`no community: ${JSON.stringify(body)}`);
  return {
    ...{ ada: ada.client, grace: grace.client, eve: eve.client, guest: new HttpClient(url), community: body.id },
    ids: { ada: ada.id, grace: grace.id, eve: eve.id },
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
    print(
      `real ${onReal === "not tried" ? "-     " : word(onReal)} fake ${word(onFake)} ${row.fact.padEnd(4)} ${row.says}`,
    );
    if (row.needs !== undefined) print(`       NOT TRIED on a real server: it needs ${row.needs}`);
    else if (real && onReal !== undefined) print(`       real: ${onReal}`);
    if (onFake !== undefined) print(`       fake: ${onFake}`);
  }
  await server.stop();
  print(`${rows.length} facts, ${different} of them hold on one side alone`);
  return different;
}

/** Real replicas on the real server. @returns whether all rows hold. */
function runAdapterRows(siteFile: string, only: string): Promise<boolean> {
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  const options = ["--config", "test/vitest.config.ts", "--project", "shared", "--maxWorkers", "1"];
  const named = only === "" ? [] : ["-t", only, "--passWithNoTests"];
  const args = [vitest, "run", ...options, "--reporter", "verbose", ...named, ...adapterRows];
  const env = { ...process.env, CARREL_INVENIO_SITE: siteFile };
  const child = spawn(process.execPath, args, { cwd: repository, env, stdio: "inherit" });
  return new Promise((resolve) => child.once("close", (code) => resolve(code === 0)));
}

/** The command that users run on their own site. @returns whether all holds that can hold here. */
async function runUpstreamCheck({ url, people }: SiteFile): Promise<boolean> {
  const token = people[0]?.tokens[0]?.token ?? "";
  const { code, stdout, stderr } = await runCarrel("upstream-check", "--server", url, "--token", token);
  print(`carrel upstream-check\n${stdout}${stderr}`);
  const differing = stdout.split("\n").filter((line) => /^F\d+ +DIFFERS/.test(line) && !elsewhere.test(line));
  return code === 0 && differing.length === 0;
}

function parsed() {
  try {
    const { values } = parseCommandLine(process.argv.slice(2), {
      only: { type: "string", default: "" },
      week: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      days: { type: "string", default: "7" },
      site: { type: "string" },
      serve: { type: "string" },
      help: { type: "boolean", default: false },
    });
    return values;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} See --help.\n`);
    process.exit(2);
  }
}

/** Everything that is tried, on the server of a file. @returns whether all holds. */
async function runAll(siteFile: string, only: string): Promise<boolean> {
  const site = readSiteFile(siteFile);
  const rows = factRows.filter(({ fact, says }) => fact === only || says.includes(only));
  const different = await compare(rows, await realSite(site));
  for (const line of untried) print(`NOT TRIED on a real server: ${line}`);
  const holds = await runAdapterRows(siteFile, only);
  const isChecked = only !== "" || (await runUpstreamCheck(site));
  if (!isChecked) print("carrel upstream-check DIFFERS");
  print(`facts ${different === 0 ? "hold" : "DIFFER"}, rows of the adapter ${holds ? "hold" : "FAIL"}`);
  return different === 0 && holds && isChecked;
}

const interrupted = (): Promise<unknown> =>
  Promise.race(["SIGINT", "SIGTERM"].map((signal) => new Promise((resolve) => process.once(signal, resolve))));

async function withServer(work: (running: RunningInvenio) => Promise<number>): Promise<number> {
  const started = await startInvenio((line) => process.stderr.write(`${line}\n`));
  if ("missing" in started) {
    print(`NO REAL INVENIORDM: ${started.missing}`);
    return 3;
  }
  try {
    return await work(started);
  } finally {
    await started.stop();
  }
}

async function main(): Promise<number> {
  const { only, site, serve, week, seed, days, help: isHelp } = parsed();
  if (isHelp) {
    print(help);
    return 0;
  }
  const holds = (name: string, restart?: () => Promise<void>): Promise<boolean> =>
    week
      ? runWeek({ file: readSiteFile(name), seed: Number(seed), days: Number(days), restart, print })
      : runAll(name, only);
  if (site !== undefined) return (await holds(site)) ? 0 : 1;
  const folder = mkdtempSync(join(tmpdir(), "carrel-invenio-site-"));
  const file = serve ?? join(folder, "site.json");
  try {
    const code = await withServer(async (running) => {
      writeFileSync(file, JSON.stringify(running.site));
      if (serve === undefined) return (await holds(file, running.restart)) ? 0 : 1;
      const stop = setInterval(() => undefined, 60_000);
      print(`${running.site.url} runs; ${serve} says how to reach it`);
      await interrupted();
      clearInterval(stop);
      return 0;
    });
    if (code === 3 && !week) {
      await compare(factRows, undefined);
      print("Nothing above was compared with a real server.");
    }
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
