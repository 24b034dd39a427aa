import { existsSync, statSync } from "node:fs";
import { chmod, cp, mkdtemp, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeDataFolder } from "../../shared/kernel/data-folder.ts";
import { listen } from "../../shared/kernel/listen.ts";
import { version } from "../../shared/version.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";

describe("the carrel command (hosts-and-sync 1)", () => {
  let folder = "";
  const running: CarrelProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-command-"));
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((process) => process.isRunning && process.stop("SIGKILL")));
    await rm(folder, { recursive: true, force: true });
  });

  async function start(...args: string[]) {
    const process = new CarrelProcess(args);
    running.push(process);
    return { process, ready: await process.ready() };
  }

  test.each([
    [[], /A command is missing/],
    [["nonsense"], /There is no command 'nonsense'/],
    [["server"], /--data is missing/],
    [["server", "--data", "x", "--port", "many"], /--port must be a number/],
    [["server", "--data", "x", "--frobnicate"], /frobnicate/],
    [["replica", "--data", "x", "--host", "0.0.0.0"], /loopback/],
    [
      ["replica", "--data", "x", "--server", "http://127.0.0.1:1"],
      /--server needs a token \(--token-file or CARREL_TOKEN\)/,
    ],
    [["desktop", "--data", "x", "--port", "many"], /--port must be a number/],
    [["desktop", "--data", ""], /--data is missing/],
    [["replica", "--data", "x", "--token", "t"], /a token needs --server/],
    [["replica", "--data", "x", "--token", "t", "--server", "ftp://x"], /--server: The address must begin with http/],
    [["replica", "--data", "x", "--token", "t", "--server", "http://x", "--port", "many"], /--port must be a number/],
    [["users", "create", "--data", "x", "--username", "u", "--email", "e@x.org", "--password", "short"], /8 to 128/],
    [
      ["users", "create", "--data", "x", "--username", "u", "--email", "e@x.org", "--token", "n".repeat(256)],
      /--token must have 1 to 255 characters/,
    ],
  ])("a usage error %j prints one line to stderr and exits 2", async (args, words) => {
    const { code, stdout, stderr } = await runCarrel(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(words);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test.each(["server", "replica", "desktop", "demo", "users", "tokens", "groups", "audit", "vocabularies"])(
    "--help on every command: %s",
    async (command) => {
      const { code, stdout } = await runCarrel(command, "--help");
      expect(code).toBe(0);
      expect(stdout).toContain(`carrel ${command}`);
    },
  );

  test("a Node that is too old is named in one line (issue 19)", async () => {
    const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } })';
    const options = `--import=data:text/javascript,${encodeURIComponent(old)}`;
    const old20 = new CarrelProcess(["--version"], { NODE_OPTIONS: options });
    running.push(old20);
    const stderr = `Carrel needs Node.js 24 or newer. This is ${process.version}.\n`;
    expect(await old20.ended).toEqual({ code: 1, stdout: "", stderr });
  });

  test("--version prints the version, which --help names", async () => {
    expect(await runCarrel("--version")).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect((await runCarrel("--help")).stdout).toContain("carrel --version");
  });

  test("prints one line of JSON when it can answer; SIGTERM exits 0", async () => {
    const { process, ready } = await start("server", "--data", join(folder, "s"), "--port", "0");
    expect(ready).toEqual({
      event: "ready",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: ready.pid,
    });
    const ended = await process.stop("SIGTERM");
    expect(ended.code).toBe(0);
    expect(ended.stdout.trim().split("\n")).toHaveLength(1);
  });

  test.each(["server", "replica"])("a %s whose terminal is closed stops as with SIGTERM", async (command) => {
    const { process } = await start(command, "--data", join(folder, "s"), "--port", "0");
    void process.stop("SIGHUP");
    // A closing terminal may send it twice.
    expect(await process.stop("SIGHUP")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("error") });
  });

  test("two processes on one data folder as the same host: the second exits 1 naming the first's pid", async () => {
    const data = join(folder, "s");
    const { ready } = await start("server", "--data", data, "--port", "0");
    const second = await runCarrel("server", "--data", data, "--port", "0");
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(String(ready.pid));
  });

  test("a port in use is explained in a message", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { code, stderr } = await runCarrel("server", "--data", join(folder, "s"), "--port", String(port));
    await new Promise((resolve) => taken.close(resolve));
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is already in use.`);
  });

  test("an unknown host name is explained in a message (hosts-and-sync 1)", async () => {
    await expect(listen(() => undefined, "no body", 0)).rejects.toThrow("There is no host named no body.");
  });

  test("a data folder that cannot be created is explained in a message", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const { code, stderr } = await runCarrel("server", "--data", join(file, "inside"), "--port", "0");
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be written \(ENOTDIR\)/);
    expect(() => makeDataFolder(file)).toThrow(/cannot be written \(EEXIST\)/);
    // The system reports the existing parent folder as missing.
    if (existsSync("/proc/self"))
      expect(() => makeDataFolder("/proc/carrel/data")).toThrow(/cannot be written \(E\w+\)/);
    makeDataFolder(join(folder, "one", "below", "another"));
    expect(statSync(join(folder, "one", "below", "another")).mode & 0o777).toBe(0o700);
    await chmod(file, 0o600);
  });

  test("a database of a newer version is refused with a message, untouched (hosts-and-sync 7)", async () => {
    const data = join(folder, "s");
    const { process } = await start("server", "--data", data, "--port", "0");
    await process.stop();
    const file = join(data, "carrel.sqlite");
    const database = new SQLite(file);
    database.pragma("journal_mode = DELETE");
    database.pragma("user_version = 4711");
    database.close();
    const before = await readFile(file);
    const { code, stderr } = await runCarrel("server", "--data", data, "--port", "0");
    expect(code).toBe(1);
    expect(stderr).toMatch(/newer version \(4711\)/);
    const kept = new SQLite(file, { readonly: true });
    expect(kept.pragma("user_version", { simple: true })).toBe(4711);
    kept.close();
    expect((await readFile(file)).length).toBe(before.length);
  });

  test("a damaged database at start is explained; the host never starts empty over existing data, unless the user accepts the offer (hosts-and-sync 7)", async () => {
    const data = join(folder, "r");
    const { process, ready: first } = await start("replica", "--data", data);
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(first, "a replica adds `token`").toEqual({ event: "ready", url, pid: first.pid, token: expect.any(String) });
    expect((await process.stop("SIGINT")).code).toBe(0);
    const file = join(data, "carrel.sqlite");
    await cp(file, `${file}.kept`);
    await truncate(file, 20_000);
    const { code, stderr } = await runCarrel("replica", "--data", data);
    expect(code).toBe(1);
    expect(stderr).toMatch(/is damaged [\s\S]*--salvage/);
    await writeFile(file, "no database at all, but longer than a header of one would be ".repeat(20));
    expect((await runCarrel("replica", "--data", data)).stderr).toMatch(/is damaged/);
    const { ready } = await start("replica", "--data", data, "--offer-salvage");
    const client = new HttpClient(ready.url, ready.token);
    expect((await client.get("/api/sync/status")).body.message).toMatch(/is damaged/);
    expect((await client.post("/api/sync/salvage")).body).toEqual({ saved: 0 });
    await expect.poll(async () => (await client.get("/api/sync/status")).body.state).toBe("local");
  });

  test("a large database is checked while it is in use; damage is reported then and at the next start (hosts-and-sync 7)", async () => {
    const data = join(folder, "large");
    await (await start("server", "--data", data, "--port", "0")).process.stop();
    const file = join(data, "carrel.sqlite");
    const database = new SQLite(file);
    database.exec(`create table filler (text text) strict;
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 9000)
      insert into filler select printf('%.4000c', 'x') from numbers`);
    database.close();
    const handle = await open(file, "r+");
    await handle.write(Buffer.alloc(4096, 0xff), 0, 4096, 5000 * 4096);
    await handle.close();
    const { process } = await start("server", "--data", data, "--port", "0");
    expect(await process.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/The database is damaged \(/) });
    const { code, stderr } = await runCarrel("server", "--data", data, "--port", "0");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/The database is damaged \(/) });
  });
});
