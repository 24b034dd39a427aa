import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverCommand } from "../../server/commands/server.ts";
import { readSettings } from "../../server/config.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { CarrelProcess } from "../support/process.ts";

let root = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "carrel-settings-"));
});

afterAll(() => rm(root, { recursive: true, force: true }));

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
    const starting = serverCommand.run(["--data", join(root, "never"), "--port", "0", "--config", file]);
    const failed = await starting.catch((error: Error) => error);
    expect(failed).toBeInstanceOf(UsageError);
    expect(failed).toMatchObject({ message: expect.stringContaining("--base-url is needed") });
    expect(await readdir(root)).not.toContain("never");
  });

  test("mistakes are told in plain words, each with its key (issue 19)", async () => {
    const wrong = {
      smtp: { url: "smtp://x.org" },
      max_files: "3",
      site: { nmae: "x" },
      trust_proxy: true,
      cors_origins: "https://x.org",
      backup: { every_hours: 0 },
      links: { files: "whole" },
      frob: 1,
    };
    await expect(settings(JSON.stringify(wrong))).rejects.toThrow(
      new RegExp(
        [
          " has mistakes: max_files: Not a valid number",
          "backup.every_hours: Must be greater than or equal to 1",
          "cors_origins: Not a valid list",
          "trust_proxy: a number of proxies from 1 to 10, or a list of addresses and networks is expected",
          "links.files: Must be one of: path, absolute",
          "smtp.from: Missing data for required field",
          "site.nmae: Unknown field",
          "frob: Unknown field\\.$",
        ].join("; "),
      ),
    );
    await expect(settings("[]")).rejects.toThrow(/ has mistakes: the file: Invalid input type\.$/);
  });

  test("folders, groups and fields of the settings that are not there are told at the start (issue 19)", async () => {
    const file = join(root, "backup.json");
    const folder = join(file, "daily");
    const client = { issuer: "https://id.uni.example", client_id: "carrel" };
    const groups_claim = { claim: "groups", groups: { staff: "nosuch", all: "nosuch" } };
    const collections = [
      {
        slug: "typo",
        title: "Typo",
        query: "metadata.titel:(whale* AND ice) OR metadata.title:x OR custom_fields.*:y",
      },
      { slug: "right", title: "Right", query: "whale AND metadata.title:ice" },
    ];
    const sign_in = { providers: [{ id: "uni", label: "Uni", ...client, groups_claim }] };
    await writeFile(file, JSON.stringify({ backup: { folder }, collections, sign_in }));
    const server = new CarrelProcess(["server", "--data", join(root, "backed-up"), "--port", "0", "--config", file]);
    await server.ready();
    const { stderr } = await server.stop();
    const warning = stderr.split("\n").find((line) => line.includes("backup.folder")) ?? "{}";
    const msg = "no backup can be written to backup.folder of the settings";
    expect(JSON.parse(warning)).toMatchObject({ level: 40, folder, reason: "ENOTDIR", msg });
    const said = stderr
      .split("\n")
      .flatMap((line) => (/groups_claim|a collection/.test(line) ? [JSON.parse(line)] : []));
    expect(said).toMatchObject([
      { level: 40, provider: "uni", group: "nosuch" },
      { level: 40, collection: "typo", fields: ["metadata.titel"] },
    ]);
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
