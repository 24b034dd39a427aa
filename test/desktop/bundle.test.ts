import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forkedApi } from "../../main/desktop/spawn-api.ts";
import { openDatabase } from "../../shared/database/open.ts";
import type { Task } from "../../shared/documents/document-thread.ts";
import { canonical } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import type { ThreadOptions } from "../../shared/search/sqlite/search-thread.ts";
import { repository } from "../support/run.ts";

const execute = promisify(execFile);
let folder: string;

/** Builds into a folder within the repository's ignored results, where the libraries are found as in an install. */
beforeAll(async () => {
  await mkdir(join(repository, "test-results"), { recursive: true });
  folder = await mkdtemp(join(repository, "test-results", "bundle-"));
  for (const [config, name] of [
    ["main/vite.config.ts", "main"],
    ["main/preload.config.ts", "preload"],
  ] as const) {
    const outDir = join(folder, "out", name);
    await build({ configFile: join(repository, config), logLevel: "silent", build: { outDir, emptyOutDir: true } });
  }
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("what is packaged (ux 4)", () => {
  test("the carrel program runs as JavaScript, without a TypeScript file", async () => {
    const { stdout } = await execute(process.execPath, [join(folder, "out/main/cli.js"), "replica", "--help"]);
    expect(stdout).toContain("carrel replica --data DIR");
    const others = (await readdir(join(folder, "out/main"))).filter((name) => !name.endsWith(".js"));
    expect(others.sort()).toEqual(["engines", "licenses.md", "mark.svg", "touch-icon.png"]);
  });

  test("clients of a server's engines are files of their own, which the desktop leaves out (scale 1)", async () => {
    const marks =
      /x-amz-content-sha256|CreateMultipartUpload|SASLInitialResponse|incompatible with this hash-wasm build/;
    const main = join(folder, "out/main");
    const clientsIn = async (under: string) => {
      const names = (await readdir(under)).filter((name) => name.endsWith(".js"));
      const texts = await Promise.all(names.map((name) => readFile(join(under, name), "utf8")));
      return names.filter((_name, at) => marks.test(texts[at] ?? ""));
    };
    expect((await clientsIn(join(main, "engines"))).length).toBeGreaterThanOrEqual(3);
    expect(await clientsIn(main)).toEqual([]);
    const settings = await readFile(join(repository, "electron-builder.yml"), "utf8");
    expect(settings).toContain('- "!out/main/engines/**"');
    // What the desktop starts finds all its parts without them.
    await rename(join(main, "engines"), join(folder, "left-out"));
    const start = await execute(process.execPath, [join(main, "cli.js"), "server", "--help"]);
    expect(start.stdout).toContain("--blobs URL");
    await rename(join(folder, "left-out"), join(main, "engines"));
  });

  test("the API process that the window starts answers with the secret of its ready line, and ends when asked", async () => {
    const start = forkedApi(join(folder, "out/main/cli.js"));
    const child = start(["replica", "--data", join(folder, "library")]);
    const exited = new Promise<string>((resolve) => child.onExit(resolve));
    const line = await new Promise<string>((resolve) => child.onLine(resolve));
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/vocabularies/resourcetypes`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/api/vocabularies/resourcetypes`)).status).toBe(401);
    child.stop();
    expect(await exited).toBe("ended with 0");
  });

  test("the thread that searches large indexes starts from its own file", async () => {
    const file = join(folder, "searched.sqlite");
    await openDatabase(file).close();
    const workerData: ThreadOptions = { databaseFile: file, isAccelerated: true };
    const worker = new Worker(join(folder, "out/main/search-worker.js"), { workerData });
    expect(await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject))).toBe("ready");
    await worker.terminate();
  });

  test("the thread that works on large documents starts from its own file", async () => {
    const worker = new Worker(join(folder, "out/main/document-worker.js"));
    const task: Task = { name: "genesis", given: [canonical({})] };
    const outcome = () => new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    expect(await outcome()).toBe("ready");
    worker.postMessage(task);
    expect(await outcome()).toEqual({ result: new Uint8Array(genesis(canonical({}))) });
    await worker.terminate();
  });

  test("Electron's entry loads electron and no development library", async () => {
    const text = await readFile(join(folder, "out/main/index.js"), "utf8");
    const imported = [...text.matchAll(/from ?"([^"]+)"/g)].map(([, name = ""]) => name);
    expect(imported).toContain("electron");
    expect(imported.filter((name) => /^(vite|vitest|typescript|electron-builder)/.test(name))).toEqual([]);
  });

  test("the preload script is one CommonJS file that needs electron alone, as a sandbox demands", async () => {
    expect(await readdir(join(folder, "out/preload"))).toEqual(["preload.cjs"]);
    const text = await readFile(join(folder, "out/preload/preload.cjs"), "utf8");
    const required = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
    expect(required).toEqual(["electron"]);
    expect(text).not.toMatch(/^import /m);
  });
});

test("the window of a real Electron shows the app's pages, without Node in them", async ({ skip }) => {
  const program = process.env.CARREL_ELECTRON;
  if (program === undefined || !existsSync(program)) {
    process.stderr.write("SKIPPED: the app in a real Electron window. Set CARREL_ELECTRON to its program to run it.\n");
    return skip("CARREL_ELECTRON names no Electron program on this machine");
  }
  const { _electron: electron } = await import("@playwright/test");
  const app = await electron.launch({ executablePath: program, args: [repository, "--data", join(folder, "library")] });
  const page = await app.firstWindow();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(await page.title()).toContain("Carrel");
  expect(await page.evaluate("typeof require")).toBe("undefined");
  expect(await page.evaluate("window.carrel.shell")).toBe("desktop");
  await app.close();
});
