import { spawn } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { auditCommand } from "../../server/commands/audit.ts";
import { backupCommand } from "../../server/commands/backup.ts";
import { doisCommand } from "../../server/commands/dois.ts";
import { mailCommand } from "../../server/commands/mail.ts";
import { restoreCommand } from "../../server/commands/restore.ts";
import { serverCommand } from "../../server/commands/server.ts";
import { tokensCommand } from "../../server/commands/tokens.ts";
import { usersCommand } from "../../server/commands/users.ts";
import { vocabulariesCommand } from "../../server/commands/vocabularies.ts";
import type { CliCommand } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { isReadColumn } from "../../shared/vocabularies/entry-import.schema.ts";
import { importRows } from "../../shared/vocabularies/import-rows.ts";
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
    // As for `users create`: the command is right, and the data do not fit (exit code 1).
    for (const { failed } of [taken, role]) expect(failed).toBeInstanceOf(Failure);
    const wrong = await run(usersCommand, "invite", "--data", data, "--email", "ada");
    expect(wrong.failed).toEqual(new UsageError("--email: Not a valid email address."));
  });

  test.each([
    [
      auditCommand,
      ["--action", "user.signin"],
      UsageError,
      /^--action: there is no action 'user.signin'. There are (user\.[a-z-]+(, |\.$))+$/,
    ],
    [auditCommand, ["--action", "login"], UsageError, /^--action: .* 'login'. There are ([a-z-]+\.…(, |\.$))+$/],
    [auditCommand, ["--actor", "adda"], Failure, /^There is no user 'adda'\.$/],
    [doisCommand, ["retry", "nosuch"], Failure, /^There is no record 'nosuch' with a DOI of this server\.$/],
    [mailCommand, ["retry", "nosuch"], Failure, /^There is no unsent mail 'nosuch'\.$/],
  ])(
    "%o %j: a name that does not exist is refused, not answered with nothing (issue 19)",
    async (command, args, kind, words) => {
      const { failed, stdout } = await run(command, ...args, "--data", data);
      expect(failed).toBeInstanceOf(kind);
      expect(failed?.message).toMatch(words);
      expect(stdout).toBe("");
    },
  );

  test.each(["ada", "1", "console", "system", "anonymous"])(
    "carrel audit --actor %s is right (issue 19)",
    async (actor) => {
      expect((await run(auditCommand, "--data", data, "--actor", actor)).failed).toBeUndefined();
    },
  );

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

test.runIf(isLinux)("a backup that the file system refuses is told in one sentence (issue 19)", async () => {
  const refused = async (file: string) => (await run(backupCommand, "--data", data, file)).failed;
  expect(await refused("/proc/copy.zip")).toEqual(
    new Failure("unavailable", "The backup /proc/copy.zip cannot be written (ENOENT)."),
  );
  const long = join(root, "n".repeat(300));
  expect((await refused(long))?.message).toBe(`The backup ${long} cannot be written (ENAMETOOLONG).`);
});

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

test("a licence file of InvenioRDM is read; a column that is not read is named (issue 19)", async () => {
  const file = join(root, "licenses.csv");
  const rows = [
    "id,title__en,tags,props__url,nmae,",
    'agpl,Affero,"recommended,all",https://x.org/agpl,Affero,',
    ",No id,,,,",
  ];
  await writeFile(file, rows.join("\n"));
  const { json, stderr } = await run(vocabulariesCommand, "import", "--data", data, "licenses", file);
  expect(json).toEqual({ type: "licenses", added: 1, updated: 0, refused: 1 });
  expect(stderr.split("\n")).toEqual([
    "line 1: The vocabulary has no column 'nmae'. Its values are not imported.",
    "line 3: id: Missing data for required field.",
    "",
  ]);
  const values: unknown[] = [];
  for await (const { value } of importRows(file)) values.push(value);
  expect(values[1]).toMatchObject({
    title: { en: "Affero" },
    tags: ["recommended", "all"],
    props: { url: "https://x.org/agpl" },
  });
  for (const column of ["title", "title.de", "description.en", "tags", "icon"])
    expect(isReadColumn("licenses", column), column).toBe(true);
  for (const column of ["title.", "id.x", "titel.de", "funder.id", "constructor"])
    expect(isReadColumn("licenses", column), column).toBe(false);
  expect(isReadColumn("awards", "funder.id")).toBe(true);
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
