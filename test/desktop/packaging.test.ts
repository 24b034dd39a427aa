import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { spokenLanguages } from "../../shared/kernel/languages.schema.ts";
import { picture, shapeOf } from "../support/pictures.ts";
import { repository } from "../support/run.ts";

const settings = z.looseObject({
  files: z.array(z.string()),
  asarUnpack: z.array(z.string()),
  npmRebuild: z.boolean(),
  electronFuses: z.record(z.string(), z.boolean()),
  electronLanguages: z.array(z.string()),
});

const require = createRequire(import.meta.url);

async function builderSettings() {
  return settings.parse(parse(await readFile(join(repository, "electron-builder.yml"), "utf8")));
}

async function schemaErrors(value: unknown): Promise<string[]> {
  const builder = createRequire(require.resolve("electron-builder"));
  const schema: object = JSON.parse(await readFile(builder.resolve("app-builder-lib/scheme.json"), "utf8"));
  // The schema carries keywords for editors (`typeof`), which ajv need not know.
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe("packaging (ux 4)", () => {
  test("electron-builder.yml is what electron-builder accepts", async () => {
    expect(await schemaErrors(await builderSettings())).toEqual([]);
  });

  test("a wrong key is refused", async () => {
    const right = await builderSettings();
    expect(await schemaErrors({ ...right, asarUnpackk: [] })).not.toEqual([]);
    expect(await schemaErrors({ ...right, electronFuses: { ...right.electronFuses, runAsNod: true } })).not.toEqual([]);
  });

  test("fuses leave no way to run scripts with our name", async () => {
    const { electronFuses } = await builderSettings();
    expect(electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  test("Chromium's texts of each language of the app are shipped; without them the system's language is unknown", async () => {
    expect((await builderSettings()).electronLanguages).toEqual(spokenLanguages);
  });

  test("every file that the settings name exists", async () => {
    const text = await readFile(join(repository, "electron-builder.yml"), "utf8");
    const named = [...text.matchAll(/: (main\/packaging\/\S+)/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
    for (const file of ["icon.png", "tray.png", "tray@2x.png"]) {
      expect(existsSync(join(repository, "main/packaging", file)), file).toBe(true);
    }
  });

  test("better-sqlite3 loads its prebuilt binary; nothing was compiled here", async () => {
    const { npmRebuild, asarUnpack } = await builderSettings();
    expect(npmRebuild).toBe(false);
    expect(asarUnpack).toContain("**/*.node");
    const folder = join(require.resolve("better-sqlite3/package.json"), "..");
    expect(existsSync(join(folder, "build"))).toBe(false);
    const db = new Database(":memory:");
    const row = db.prepare("select sqlite_compileoption_used('ENABLE_FTS5') as fts").get();
    db.close();
    expect(row).toEqual({ fts: 1 });
  });

  test("sharp and libvips lie outside the archive, as files that users may replace (interoperability 11)", async () => {
    const { asarUnpack } = await builderSettings();
    expect(asarUnpack).toEqual(expect.arrayContaining(["node_modules/sharp/**", "node_modules/@img/**"]));
    expect(existsSync(join(repository, "node_modules/sharp/build"))).toBe(false);
    expect(await shapeOf(await picture(20, 10, "png"))).toEqual([20, 10, "png"]);
  });
});
