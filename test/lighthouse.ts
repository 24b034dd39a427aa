import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPeople, createSamples } from "../main/commands/demo-content.ts";
import { buildRenderer } from "../main/dev-build.ts";
import { openServer } from "../server/open-server.ts";
import { machineEnvironment } from "../shared/kernel/environment.ts";
import { createLog } from "../shared/kernel/log.ts";
import { defaultSettings } from "../shared/settings/settings.schema.ts";
import { chromiumFlags, findOrInstallChromium } from "./support/chromium.ts";
import { HttpClient } from "./support/http-client.ts";
import { givenPictures, picture } from "./support/pictures.ts";

/** Not a dependency: it brings a browser driver and a reporter of errors, and is needed at milestones only. */
const lighthouse = "lighthouse@13.5.0";
const minScore = 95;
const categories = ["performance", "accessibility", "best-practices", "seo"];

const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; displayValue?: string; details?: unknown }>;
}

/** One visit of a page as a telephone on a slow line, or as a computer. */
async function visit(
  url: string,
  form: "mobile" | "desktop",
  { folder, chromium }: { folder: string; chromium: string },
) {
  const file = join(folder, "report.json");
  const args = [
    ...["exec", "--yes", `--package=${lighthouse}`, "--", "lighthouse", url, "--quiet", "--output=json"],
    ...[`--output-path=${file}`, `--only-categories=${categories.join(",")}`, "--no-enable-error-reporting"],
    `--chrome-flags=${chromiumFlags.join(" ")}`,
    ...(form === "desktop" ? ["--preset=desktop"] : []),
  ];
  const child = spawn("npm", args, {
    cwd: folder,
    env: { ...process.env, CHROME_PATH: chromium },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`lighthouse ended with ${code}.`);
  return JSON.parse(await readFile(file, "utf8")) as Report;
}

/** Says the scores of a page and what cost points. @returns whether all are high enough. */
function report(name: string, { categories: found, audits }: Report): boolean {
  const scores = categories.map((id) => Math.round((found[id]?.score ?? 0) * 100));
  const isRight = scores.every((score) => score >= minScore);
  print(
    `${isRight ? "passed" : "FAILED"}  ${name.padEnd(20)} ${categories.map((id, at) => `${id} ${scores[at]}`).join(", ")}`,
  );
  for (const { auditRefs } of Object.values(found))
    for (const { id, weight } of auditRefs) {
      const { title, score, displayValue = "", details } = audits[id] ?? { title: id, score: null };
      if (weight === 0 || score === null || score >= 0.9) continue;
      print(`        ${id}: ${title} ${displayValue}`);
      if (process.argv.includes("--details")) print(JSON.stringify(details, null, 1));
    }
  return isRight;
}

/** `npm run lighthouse`: the four kinds of public pages, against a server with samples (issue 18). */
async function main(): Promise<boolean> {
  const chromium = findOrInstallChromium(print);
  await buildRenderer(print);
  const folder = await mkdtemp(join(tmpdir(), "carrel-lighthouse-"));
  const site = { ...defaultSettings.site, contact: "library@example.org" };
  const server = await openServer({
    ...{ dataDir: join(folder, "server"), hostName: "127.0.0.1", port: 0, environment: machineEnvironment() },
    ...{ settings: { ...defaultSettings, site }, log: createLog("warn") },
  });
  try {
    const people = await createPeople(server.services);
    await createSamples(server.url, people);
    const files = { "photo.jpg": await picture(1600, 1200, "jpeg"), "table.csv": Buffer.from("a,b\n1,2\n") };
    const id = await givenPictures(new HttpClient(server.url, people.grace.token), files);
    const record = `/records/${id}`;
    const results: boolean[] = [];
    for (const path of ["/", "/search", record, `${record}/files/table.csv`, `${record}/files/photo.jpg`])
      for (const form of ["mobile", "desktop"] as const) {
        const found = await visit(`${server.url}${path}`, form, { folder, chromium });
        results.push(report(`${path.replace(id, "…")} ${form}`, found));
      }
    return results.every(Boolean);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
