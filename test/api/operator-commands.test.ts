import { spawn } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { backupCommand } from "../../server/commands/backup.ts";
import { restoreCommand } from "../../server/commands/restore.ts";
import { serverCommand } from "../../server/commands/server.ts";
import { tokensCommand } from "../../server/commands/tokens.ts";
import { usersCommand } from "../../server/commands/users.ts";
import { vocabulariesCommand } from "../../server/commands/vocabularies.ts";
import { readSettings } from "../../server/config.ts";
import type { CliCommand } from "../../shared/kernel/command-line.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { CarrelProcess, cli } from "../support/process.ts";

// What the one administrator of a team meets at the command line (issue 17: the operator).

const isLinux = process.platform === "linux";
let root = "";
let data = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "carrel-operator-"));
  data = join(root, "data");
  const server = new CarrelProcess([
    ...["server", "--data", data, "--port", "0", "--base-url", "https://library.example.org"],
  ]);
  await server.ready();
  await server.stop();
});

afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

/** Runs a command in this process. */
async function run({ run: start }: CliCommand, ...args: string[]) {
  let [stdout, stderr] = ["", ""];
  const keep = (take: (text: string) => void) => (chunk: unknown) => {
    take(String(chunk));
    return true;
  };
  const out = vi.spyOn(process.stdout, "write").mockImplementation(keep((text) => (stdout += text)));
  const err = vi.spyOn(process.stderr, "write").mockImplementation(keep((text) => (stderr += text)));
  const failed = await start(args).then(
    () => undefined,
    (error: Error) => error,
  );
  out.mockRestore();
  err.mockRestore();
  return { stdout, stderr, failed, json: stdout === "" ? undefined : JSON.parse(stdout.split("\n")[0] ?? "") };
}

/** Runs the program, with its output in an open file, or as another account. */
function spawned(args: string[], { output, uid }: { output?: number; uid?: number }) {
  return new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args], {
      stdio: ["ignore", output ?? "ignore", "pipe"],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    let stderr = "";
    child.stderr?.on("data", (chunk) => (stderr += chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stderr }));
  });
}

describe("what commands print", () => {
  test("links begin with the address of the server", async () => {
    const { json } = await run(usersCommand, "create", "--data", data, "--username", "ada", "--email", "ada@x.org");
    expect(json.links.self).toBe("https://library.example.org/api/users/1");
    const token = await run(tokensCommand, "create", "--data", data, "--username", "ada", "--name", "cli");
    expect(token.json.links.self).toContain("https://library.example.org/api/tokens/");
    const { json: invitation } = await run(usersCommand, "invite", "--data", data, "--email", "bob@x.org");
    expect(invitation.link).toContain("https://library.example.org/invitation/");
  });

  test("a refused invitation names the option", async () => {
    const taken = await run(usersCommand, "invite", "--data", data, "--email", "ada@x.org");
    expect(taken.failed?.message).toBe("--email: The email 'ada@x.org' is in use already.");
    const role = await run(usersCommand, "invite", "--data", data, "--email", "c@x.org", "--role", "nosuch");
    expect(role.failed?.message).toBe("--role: There is no group 'nosuch'.");
  });

  test("a deactivated user is activated again", async () => {
    const person = ["--data", data, "--username", "ada"];
    expect((await run(usersCommand, "deactivate", ...person)).json.active).toBe(false);
    const { stderr, json } = await run(tokensCommand, "create", ...person, "--name", "early");
    expect(stderr).toBe("This user is deactivated. The token works once 'carrel users activate' was run.\n");
    expect(json.token).toBeDefined();
    expect((await run(usersCommand, "activate", ...person)).json.active).toBe(true);
  });

  test.runIf(isLinux)("output that cannot be written is a failure, such as a report on a full disk", async () => {
    const full = await open("/dev/full", "w");
    const { code, stderr } = await spawned(["users", "list", "--data", data], { output: full.fd });
    await full.close();
    expect({ code, stderr }).toEqual({ code: 1, stderr: "The output cannot be written (ENOSPC).\n" });
  });
});

describe("a wrong DIR", () => {
  test("a new folder is said to be new", async () => {
    const typing = join(root, "dtaa");
    const { stderr } = await run(usersCommand, "create", "--data", typing, "--username", "eve", "--email", "e@x.org");
    expect(stderr).toBe(`${typing} had no data. A new server begins there.\n`);
    const again = await run(usersCommand, "create", "--data", typing, "--username", "eva", "--email", "a@x.org");
    expect(again).toMatchObject({ stderr: "", failed: undefined });
  });

  test.runIf(isLinux)("a folder of another account is not said to be empty", async (context) => {
    const uid = process.getuid?.() === 0 ? 65_534 : undefined;
    if (uid !== undefined && (await spawned(["--version"], { uid })).code !== 0) context.skip();
    await chmod(root, 0o755);
    const closed = join(root, "closed");
    await mkdir(closed);
    await chmod(closed, uid === undefined ? 0o000 : 0o700);
    const { code, stderr } = await spawned(["users", "list", "--data", closed], { ...(uid && { uid }) });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `The data folder ${closed} is closed to this account (EACCES). Run the command with the account that runs Carrel there.\n`,
    );
    await chmod(closed, 0o700);
  });
});

test.runIf(isLinux && process.getuid?.() === 0)(
  "what root makes in the folder of another account belongs to that account, whose server reads it",
  async () => {
    const folder = await mkdtemp(join(root, "of-nobody-"));
    await chown(folder, 65_534, 65_534);
    await run(usersCommand, "create", "--data", folder, "--username", "ada", "--email", "ada@x.org");
    expect((await run(usersCommand, "invite", "--data", folder, "--email", "bob@x.org")).failed).toBeUndefined();
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).uid, name).toBe(65_534);
    await chown(join(folder, "secret.key"), 0, 0);
    const { code, stderr } = await spawned(["server", "--data", folder, "--port", "0"], { uid: 65_534 });
    expect(code).toBe(1);
    if (!stderr.includes("Cannot find module")) expect(stderr).toMatch(/^This account may not use .*secret\.key/);
  },
);

test.runIf(isLinux && process.getuid?.() === 0)(
  "what root restores into the folder of another account belongs to that account",
  async () => {
    const backup = join(root, "made.zip");
    await run(backupCommand, "--data", data, backup);
    const folder = await mkdtemp(join(root, "restored-"));
    await chown(folder, 65_534, 65_534);
    expect((await run(restoreCommand, backup, "--data", folder)).failed).toBeUndefined();
    const names = await readdir(folder, { recursive: true });
    expect(names).toContain(join("blobs", "uploads"));
    for (const name of names) expect((await stat(join(folder, name))).uid, name).toBe(65_534);
  },
);

test("an import of which every row was refused has failed", async () => {
  const file = join(root, "names.jsonl");
  await writeFile(file, '{"nothing": 1}\n{oops}\n');
  const bad = await run(vocabulariesCommand, "import", "--data", data, "names", file);
  expect(bad.json).toEqual({ type: "names", added: 0, updated: 0, refused: 2 });
  expect(bad.failed?.message).toBe("Every row was refused. Nothing was imported.");
  await writeFile(file, '{"nothing": 1}\n{"id": "1", "name": "Love, Ada"}\n');
  const good = await run(vocabulariesCommand, "import", "--data", data, "names", file);
  expect(good).toMatchObject({ failed: undefined, json: { added: 1, refused: 1 } });
});

test.each(["database", "blobs", "search"])(
  "a mistyped variable for --%s is named itself (hosts-and-sync 1)",
  async (option) => {
    const variable = `CARREL_${option.toUpperCase()}`;
    vi.stubEnv(variable, "library");
    onTestFinished(() => void vi.unstubAllEnvs());
    const message = async (...args: string[]) =>
      (await run(serverCommand, "--data", join(root, "none"), ...args)).failed;
    expect((await message())?.message).toMatch(new RegExp(`^${variable} must be an address like `));
    expect((await message(`--${option}`, "x"))?.message).toMatch(new RegExp(`^--${option} must be an address like `));
  },
);

test("a secret that was cut signs no links", async () => {
  const folder = await mkdtemp(join(root, "cut-"));
  await writeFile(join(folder, "secret.key"), "");
  expect(() => folderSecret(folder)).toThrow(/secret\.key is damaged: it has 0 bytes, not 32\. Put its copy back\./);
  await rm(join(folder, "secret.key"));
  expect(folderSecret(folder)).toHaveLength(32);
});

describe("the configuration file", () => {
  async function settings(text: string) {
    const file = join(root, "settings.json");
    await writeFile(file, text);
    return readSettings(file);
  }

  test("a mistake in JSON is named by its place, and nothing of the file is quoted", async () => {
    const secret = settings('{\n  "smtp": {"url": "smtp://a:secret@x", "from": "a@x.org"}\n  "max_files": 3\n}');
    await expect(secret).rejects.toThrow(/settings\.json is not JSON \(line 3 column 3\)\.$/);
    await expect(settings('{"a": secret}')).rejects.toThrow(/is not JSON\.$/);
  });

  test("no DOI is registered for an address of this computer", async () => {
    const file = join(root, "datacite.json");
    await writeFile(file, JSON.stringify({ datacite: { repository_id: "ACME.LIB", password: "secret" } }));
    const { failed } = await run(serverCommand, "--data", join(root, "never"), "--port", "0", "--config", file);
    expect(failed).toBeInstanceOf(UsageError);
    expect(failed?.message).toMatch(/--base-url is needed/);
    expect(await readdir(root)).not.toContain("never");
  });

  test("a byte order mark is no mistake", async () => {
    expect(await settings('\uFEFF{"max_files": 3}')).toMatchObject({ max_files: 3 });
  });

  test.each([
    ["mail.example.org:587", "carrel@x.org", /smtp.url: an address such as smtp:/],
    ["http://mail.example.org", "carrel@x.org", /smtp.url: an address such as smtp:/],
    ["smtp://mail.example.org", "Carrel", /smtp.from: an e-mail address is expected/],
  ])("mail by %s from %s is refused at the start, not mail by mail", async (url, from, words) => {
    await expect(settings(JSON.stringify({ smtp: { url, from } }))).rejects.toThrow(words);
  });
});
