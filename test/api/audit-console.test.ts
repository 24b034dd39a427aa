import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CarrelProcess, runCarrel } from "../support/process.ts";

describe("carrel audit (security 12)", () => {
  test("console commands are recorded; filters, JSON lines, while the server runs", async () => {
    const data = await mkdtemp(join(tmpdir(), "carrel-audit-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const run = async (...args: string[]) => {
      const ended = await runCarrel(...args);
      expect(ended.code, ended.stderr).toBe(0);
      return ended.stdout.split("\n").filter(Boolean);
    };
    const folder = ["--data", data];
    const person = ["--username", "ada"];
    await run("users", "create", ...folder, ...person, "--email", "a@example.org", "--token", "t");
    const server = new CarrelProcess(["server", ...folder, "--port", "0"]);
    await server.ready();
    await run("users", "reset-password", ...folder, ...person);
    await run("users", "deactivate", ...folder, ...person);
    await run("groups", "create", ...folder, "--name", "readers");
    await writeFile(join(data, "rows.jsonl"), '{"id":"x","name":"X"}\n');
    await run("vocabularies", "import", ...folder, "affiliations", join(data, "rows.jsonl"));
    await run("backup", ...folder, join(data, "copy.backup"));
    const all = (await run("audit", ...folder)).map((line) => JSON.parse(line));
    expect(all.map(({ action }) => action)).toEqual([
      "user.create",
      "token.create",
      "server.start",
      "user.reset-password",
      "user.deactivate",
      "group.provide",
      "vocabulary.import",
      "backup.create",
    ]);
    const consoles = all.filter(({ metadata }) => metadata.via === "console");
    expect(consoles).toHaveLength(7);
    expect(consoles[0].metadata.credential).toMatch(/^os-user:./);
    expect(await run("audit", ...folder, "--action", "user.create", "--action", "group.provide")).toHaveLength(2);
    expect(await run("audit", ...folder, "--actor", "console", "--object", "readers")).toHaveLength(1);
    expect(await run("audit", ...folder, "--limit", "1")).toEqual([JSON.stringify(all.at(-1))]);
    const [header, row, ...more] = await run("audit", ...folder, "--csv", "--action", "user.deactivate");
    expect(header).toMatch(/^id,created,action,outcome,status,user_id,username,.*,details\r$/);
    expect(row).toMatch(/^\d+,[^,]+\+00:00,user.deactivate,done,,,,,console,os-user:[^,]+,,user,1,.*\r$/);
    expect(more).toEqual([]);
    const cut = await runCarrel("audit", ...folder, "--limit", "1");
    expect(cut.stderr).toBe("There are older entries than the 1 printed. A higher --limit prints them.\n");
    expect(await run("audit", ...folder, "--since", "2999-01-01")).toEqual([]);
    for (const wrong of [
      ["--since", "soon"],
      ["--limit", "0"],
      ["--outcome", "maybe"],
    ]) {
      expect((await runCarrel("audit", ...folder, ...wrong)).code, wrong.join(" ")).toBe(2);
    }
    await server.stop();
    await run("restore", join(data, "copy.backup"), "--data", join(data, "new"));
    const [last] = await run("audit", "--data", join(data, "new"), "--limit", "1");
    expect(JSON.parse(last ?? "")).toMatchObject({ action: "backup.restore", metadata: { via: "console" } });
  });
});
