import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPeople, createSamples } from "../../main/commands/demo-content.ts";
import { openServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { HttpClient } from "../support/http-client.ts";
import { givenPictures, picture } from "../support/pictures.ts";

/**
 * What pip installs, pinned, so that a run tomorrow means the same. Not pyoai: its 2.5.0 calls a method that lxml has
 * no more.
 */
const packages = [
  ...["extruct==0.18.0", "protego==0.7.0", "ultimate-sitemap-parser==1.8.1"],
  ...["datacite==1.4.1", "feedparser==6.0.14", "inveniordm-py==0.1.1", "lxml==6.1.3", "pooch==1.9.0"],
  ...["rdflib==7.6.0", "requests", "rocrate==0.16.0", "schemathesis==4.32.5", "Sickle==0.7.0", "signposting==0.9.9"],
  "zenodo-client==0.4.2",
];

const checks = "not_a_server_error,content_type_conformance,response_schema_conformance,status_code_conformance";
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs a program, which may leave files where it runs. @returns whether it ended well; undefined if it is not here. */
function run(command: string, args: string[]): Promise<boolean | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], cwd: tmpdir() });
    child.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? resolve(undefined) : reject(error),
    );
    child.once("close", (code) => resolve(code === 0));
  });
}

/** A result that counts: what could not be had is no failure of ours, and is said loudly. */
function report(name: string, isRight: boolean | undefined): boolean {
  if (isRight === undefined) say(`\n*** NOT RUN: ${name}. It could not be had on this computer. ***\n`);
  else say(`${isRight ? "passed" : "FAILED"}  ${name}`);
  return isRight !== false;
}

/** The Python of a fresh environment with all packages; undefined without Python or its registry. */
async function python(folder: string): Promise<string | undefined> {
  const bin = join(folder, "venv", process.platform === "win32" ? "Scripts" : "bin");
  if (!(await run("python3", ["-m", "venv", join(folder, "venv")]))) return undefined;
  const isHere = await run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages]);
  return isHere ? bin : undefined;
}

/** `npm run test:clients`: clients that nobody here wrote, against a server with samples (issue 18, real clients). */
async function main(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-clients-"));
  const site = { ...defaultSettings.site, contact: "library@example.org" };
  const server = await openServer({
    ...{ dataDir: join(folder, "server"), hostName: "127.0.0.1", port: 0, environment: machineEnvironment() },
    ...{ settings: { ...defaultSettings, site }, log: createLog("warn") },
  });
  try {
    const people = await createPeople(server.services);
    await createSamples(server.url, people);
    const { token } = people.grace;
    const files = { "photo.jpg": await picture(1600, 1200, "jpeg"), "table.csv": Buffer.from("a,b\n1,2\n") };
    const id = await givenPictures(new HttpClient(server.url, token), files);
    const names = ["größe 日本.txt", "a b#c%20d+e?.txt", 'quote".txt', "sub/dir/two words.txt"];
    const bytes = names.map((name): [string, Buffer] => [name, Buffer.from(name)]);
    const odd = await givenPictures(new HttpClient(server.url, token), Object.fromEntries(bytes));
    const bin = await python(folder);
    const script = join(import.meta.dirname, "clients.py");
    const runOf = async (name: string, args: string[]) => (bin === undefined ? undefined : run(join(bin, name), args));
    const clients = await runOf("python", [script, server.url, token, id, odd]);
    const calls = ["run", `${server.url}/api/openapi.json`, "--header", `Authorization: Bearer ${token}`];
    const limits = ["--include-method", "GET", "--max-examples", "5", "--checks", checks, "--request-timeout", "10"];
    const streams = ["--exclude-path-regex", "sync/(events|changes|live)"];
    const described = await runOf("schemathesis", [...calls, ...limits, ...streams]);
    const list = ["ls", `:http,url='${server.url}/records/${id}/files/':`];
    const results = [
      report("clients of Python (PyPI)", clients),
      report("schemathesis", described),
      report("rclone, http backend", await run("rclone", list)),
    ];
    return results.every(Boolean);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
