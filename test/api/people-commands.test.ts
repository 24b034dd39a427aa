import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { groupsCommand } from "../../server/commands/groups.ts";
import { tokensCommand } from "../../server/commands/tokens.ts";
import { usersCommand } from "../../server/commands/users.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess } from "../support/process.ts";

const root = mkdtempSync(join(tmpdir(), "carrel-people-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newFolder = (): string => join(mkdtempSync(join(root, "data-")), "made", "on", "use");

async function run(...args: string[]) {
  const { code, stdout, stderr } = await new CarrelProcess(args).ended;
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { code, stderr, lines, json: code === 0 ? lines.map((line) => JSON.parse(line)) : [] };
}

/** Runs a command in this process, without its output. */
async function quietly(args: string[]): Promise<void> {
  const output = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await usersCommand.run(args).finally(() => output.mockRestore());
}

describe("people on the command line (hosts-and-sync 1, 8)", () => {
  test("users create: makes DIR, prints the user with defaults, a token has all scopes, also while the server runs", async () => {
    const data = newFolder();
    const ada = await run("users", "create", "--data", data, "--username", "ada", "--email", "ada@example.org");
    expect(ada).toMatchObject({ code: 0, stderr: expect.stringMatching(/A new server begins there\.\n$/) });
    expect(ada.json[0]).toMatchObject({
      ...{ id: "1", username: "ada", email: "ada@example.org", active: true, confirmed: true },
      preferences: { visibility: "public", email_visibility: "restricted" },
    });
    expect(ada.json[0]).not.toHaveProperty("token");
    const server = new CarrelProcess(["server", "--data", data, "--port", "0"]);
    const { url } = await server.ready();
    try {
      const options = ["--full-name", "Bob B", "--affiliations", "Ice", "--password", "correct horse", "--token", "t"];
      const roles = ["--role", "superuser-access", "--role", "administration-moderation"];
      const bob = await run(
        "users",
        "create",
        "--data",
        data,
        "--username",
        "bob",
        "--email",
        "b@x.org",
        ...options,
        ...roles,
      );
      const { token } = bob.json[0];
      const me = await new HttpClient(url, token).get("/api/me");
      expect(me.body).toMatchObject({ username: "bob", profile: { full_name: "Bob B", affiliations: "Ice" } });
      expect((await new HttpClient(url, token).get("/api/tokens")).body.hits.hits[0].scopes).toEqual([
        ..."read,tokens,write".split(","),
      ]);
      expect(
        (await new HttpClient(url).post("/api/login", { username: "bob", password: "correct horse" })).status,
      ).toBe(200);
      const login = async (password: string) =>
        (await new HttpClient(url).post("/api/login", { username: "bob", password })).status;
      const reset = await run("users", "reset-password", "--data", data, "--username", "bob");
      expect(await login(reset.json[0].password), "the generated password").toBe(200);
      await quietly(["reset-password", "--data", data, "--username", "bob", "--password", "new horses"]);
      expect(await login("new horses")).toBe(200);
      const made = await run(
        "tokens",
        "create",
        "--data",
        data,
        "--username",
        "ada",
        "--name",
        "script",
        "--scope",
        "read",
      );
      expect((await new HttpClient(url, made.json[0].token).get("/api/me")).body.username).toBe("ada");
      expect((await run("tokens", "list", "--data", data, "--username", "ada")).json[0].id).toBe(made.json[0].id);
      expect((await run("tokens", "revoke", "--data", data, "--id", made.json[0].id)).code).toBe(0);
      expect((await new HttpClient(url, made.json[0].token).get("/api/me")).status).toBe(401);
      expect((await run("users", "deactivate", "--data", data, "--username", "bob")).json[0].active).toBe(false);
      expect((await new HttpClient(url, token).get("/api/me")).status).toBe(401);
      const names = (await run("users", "list", "--data", data)).json.map(({ username }) => username);
      expect(names).toEqual(["ada", "bob"]);
      const group = await run("groups", "create", "--data", data, "--name", "guests", "--unmanaged");
      expect(group.json[0]).toMatchObject({ id: "guests", is_managed: false });
      expect((await run("groups", "list", "--data", data)).json.map(({ id }) => id)).toContain("guests");
    } finally {
      await server.stop();
    }
  });

  test.each([
    ["users", "create", "--username", "a", "--email", "a@x.org"],
    ["users", "create", "--data", "DIR", "--username", "a"],
    ["users", "create", "--data", "DIR", "--username", "a", "--email", "nonsense"],
    ["users", "create", "--data", "DIR", "--username", "a", "--email", "a@x.org", "--visibility", "secret"],
    ["users", "create", "--data", "DIR", "--username", "a", "--email", "a@x.org", "--password", "short"],
    ["users", "create", "--data", "DIR", "--colour", "red"],
    ["users", "dance"],
    ["tokens"],
    ["tokens", "create", "--data", "DIR", "--username", "a", "--name", "x", "--scope", "everything"],
    ["groups", "create", "--data", "DIR", "--name", "1st"],
  ])("a usage error in one line: %s %s %s %s %s %s", async (name, ...args) => {
    const command = { users: usersCommand, tokens: tokensCommand, groups: groupsCommand }[name];
    const refusal = await command?.run(args.map((arg) => (arg === "DIR" ? newFolder() : arg))).catch((error) => error);
    expect(refusal).toBeInstanceOf(UsageError);
    expect(refusal.message).not.toContain("\n");
  });

  test("a usage error that a service finds: expiry and name of a token, one user named twice (hosts-and-sync 1)", async () => {
    const data = newFolder();
    await run("users", "create", "--data", data, "--username", "ada", "--email", "ada@example.org");
    const create = ["tokens", "create", "--data", data, "--username", "ada", "--name"];
    for (const [args, words] of [
      [[...create, "x", "--expires-at", "never"], "--expires-at: Not a valid datetime."],
      [[...create, "x", "--expires-at", "2000-01-01"], "--expires-at: Expiration date must be set to the future"],
      [[...create, "x".repeat(256)], "--name: Longer than maximum length 255."],
      [
        ["tokens", "list", "--data", data, "--username", "ada", "--user", "1"],
        "--username, --email and --user exclude each other.",
      ],
      [
        ["users", "deactivate", "--data", data, "--username", "ada", "--id", "2"],
        "--username, --email and --id exclude each other.",
      ],
    ] as const) {
      expect(await run(...args)).toMatchObject({ code: 2, stderr: `${words}\n`, lines: [] });
    }
    expect((await run("users", "list", "--data", data)).json).toMatchObject([{ username: "ada", active: true }]);
  });

  test("any other failure exits 1 and prints its cause; --help exits 0", async () => {
    const data = newFolder();
    const create = (...more: string[]) => run("users", "create", "--data", data, ...more);
    await create("--username", "ada", "--email", "ada@example.org");
    const taken = await create("--username", "ADA", "--email", "other@example.org");
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringMatching(/in use/) });
    const role = await create("--username", "bob", "--email", "bob@example.org", "--role", "nowhere");
    expect(role).toMatchObject({ code: 1, stderr: expect.stringMatching(/no group 'nowhere'/) });
    expect((await run("users", "deactivate", "--data", data, "--username", "eve")).code).toBe(1);
    expect((await new CarrelProcess(["users", "--help"]).ended).stdout).toMatch(/carrel users create/);
  });
});
