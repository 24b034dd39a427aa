import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { installedLibraries } from "../../main/packaging/installed-libraries.ts";
import { packFolder, writeNpmPackage } from "../../main/packaging/npm-package.ts";
import { CarrelProcess } from "../support/process.ts";
import { repository } from "../support/run.ts";

const execute = promisify(execFile);

describe("the npm package (issue 19, distribution)", () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-package-"));
    await writeNpmPackage(join(folder, "package"), () => {});
    const packed = await packFolder(join(folder, "package"), folder);
    // The libraries are links to this checkout, so that the installation needs no network.
    const libraries = installedLibraries.map((name) => join(repository, "node_modules", name));
    const prefix = join(folder, "prefix");
    const options = ["--offline", "--no-audit", "--no-fund", "--prefix", prefix];
    await execute("npm", ["install", ...options, packed, ...libraries]);
    program = join(prefix, "node_modules/carrel/out/main/cli.js");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("it is installed into an empty folder, with the command `carrel`", async () => {
    const command = join(folder, "prefix/node_modules/.bin/carrel");
    const { stdout } = await execute(process.execPath, [command, "--help"]);
    expect(stdout).toContain("runs the server of a team");
    expect(existsSync(join(folder, "prefix/node_modules/express"))).toBe(false);
  });

  test("a server and a replica of it run: API, pages, icon, password check, the app", async () => {
    const data = join(folder, "server");
    const secret = join(folder, "secret");
    await writeFile(secret, "ice-core-of-2003\n");
    const grace = ["--username", "grace", "--email", "grace@example.org", "--token", "desk", "--password-file", secret];
    const created = await new CarrelProcess(["users", "create", "--data", data, ...grace], {}, program).ended;
    expect(created.code, created.stderr).toBe(0);
    const { token } = z.object({ token: z.string() }).parse(JSON.parse(created.stdout));
    const server = new CarrelProcess(["server", "--data", data, "--port", "0"], {}, program);
    const { url } = await server.ready();
    const browser = { Accept: "text/html" };
    expect((await fetch(`${url}/`, { headers: browser })).headers.get("Content-Type")).toContain("text/html");
    expect(await (await fetch(`${url}/icon.svg`)).text()).toContain("<svg");
    expect((await fetch(`${url}/api/vocabularies/licenses?q=cc-by`)).status).toBe(200);
    const given = ["--server", url, "--token-file", join(folder, "token")];
    await writeFile(join(folder, "token"), token);
    const replica = new CarrelProcess(["replica", "--data", join(folder, "desk"), ...given], {}, program);
    const desk = await replica.ready();
    const app = await fetch(`${desk.url}/`, { headers: browser });
    expect(await app.text()).toContain("/assets/");
    const me = await fetch(`${desk.url}/api/me`, { headers: { Authorization: `Bearer ${desk.token}` } });
    expect(await me.json()).toMatchObject({ username: "grace" });
    expect((await replica.stop()).code).toBe(0);
    expect((await server.stop()).code).toBe(0);
  });

  test("it holds what operators read: the page on operating, the settings, the examples", async () => {
    const server = join(folder, "prefix/node_modules/carrel/server");
    expect((await readdir(server)).sort()).toEqual(["deploy", "operations.md", "settings.md"]);
    expect(await readFile(join(server, "settings.md"), "utf8")).toContain("smtp.url");
    expect(await readdir(join(server, "deploy"))).toContain("carrel@.service");
  });

  test("its pages are built for production, whatever NODE_ENV says", async () => {
    // React Aria asks for this variable where lists are drawn without a window, in tests.
    const assets = join(folder, "package/out/renderer/assets");
    const scripts = (await readdir(assets)).filter((name) => name.endsWith(".js"));
    expect(scripts).not.toEqual([]);
    for (const name of scripts) expect(await readFile(join(assets, name), "utf8"), name).not.toContain("VIRT_ON");
  });

  test("it names the licence of each library in it", async () => {
    for (const part of ["main", "renderer"]) {
      const text = await readFile(join(folder, "package/out", part, "licenses.md"), "utf8");
      expect(text).toMatch(part === "main" ? /## express - / : /## react - /);
    }
  });
});
