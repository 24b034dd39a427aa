import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from "dependency-cruiser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Imports that must be refused, and their neighbours that must not: rule, file, what it imports. */
const refused: [rule: string, file: string, imports: string][] = [
  ["schema-stands-on-schemas", "shared/cups/cup.schema.ts", "./cup.policy.ts"],
  ["pure-stands-on-pure", "shared/cups/lid.policy.ts", "../kernel/host.ts"],
  ["pure-knows-no-node", "shared/cups/spoon.schema.ts", "node:fs"],
  ["pure-knows-no-node", "shared/cups/fork.presenter.ts", "type better-sqlite3"],
  ["repository-only-queries", "shared/cups/plate.repository.ts", "./cup.policy.ts"],
  ["reader-only-reads-rows", "shared/cups/cup.reader.ts", "./cup.repository.ts"],
  ["queries-stay-below-services", "shared/cups/bowl.routes.ts", "./mug.reader.ts"],
  ["repository-belongs-to-its-feature", "shared/tables/table.service.ts", "../cups/cup.repository.ts"],
  ["queries-stay-below-services", "shared/cups/cup.routes.ts", "./cup.repository.ts"],
  ["queries-stay-below-services", "shared/cups/saucer.routes.ts", "../database/open.ts"],
  ["service-knows-no-http", "shared/cups/tea.service.ts", "express"],
  ["shared-knows-no-host", "shared/cups/milk.ts", "../../server/listen.ts"],
  ["shared-knows-no-host", "shared/cups/sugar.ts", "type electron"],
  ["kernel-knows-no-feature", "shared/kernel/shelf.ts", "type ../cups/cup.schema.ts"],
  ["server-knows-no-desktop", "server/kettle.ts", "../main/stove.ts"],
  ["desktop-knows-no-server", "main/stove.ts", "../server/listen.ts"],
  ["renderer-sees-schemas", "renderer/tray.ts", "../shared/cups/cup.policy.ts"],
  ["electron-in-two-files", "main/desktop/window.ts", "electron"],
  ["nothing-imports-test", "main/oven.ts", "../test/support/oven.ts"],
  ["no-cycles", "server/hen.ts", "./egg.ts"],
  ["no-cycles", "server/egg.ts", "type ./hen.ts"],
  ["declared-dependencies", "shared/cups/napkin.ts", "vitest"],
  ["resolvable", "server/missing.ts", "./nowhere.ts"],
];

const allowed: [file: string, imports: string][] = [
  ["shared/cups/mug.schema.ts", "./cup.schema.ts"],
  ["shared/cups/cup.policy.ts", "../database/schema.ts"],
  ["shared/cups/mug.service.ts", "./cup.repository.ts"],
  ["shared/cups/mug.reader.ts", "../database/open.ts"],
  ["shared/tables/chair.service.ts", "../cups/mug.reader.ts"],
  ["shared/cups/glass.service.ts", "type express"],
  ["shared/cups/mug.routes.ts", "./mug.service.ts"],
  ["shared/api.ts", "./cups/cup.repository.ts"],
  ["server/authority-host.ts", "../shared/cups/cup.repository.ts"],
  ["server/sync/feed.ts", "../../shared/cups/cup.repository.ts"],
  ["main/cli.ts", "../server/listen.ts"],
  ["main/index.ts", "electron"],
  ["main/preload.ts", "electron"],
  ["main/desktop/menu.ts", "type electron"],
  ["renderer/page.ts", "../shared/cups/mug.schema.ts"],
  ["test/support/oven.ts", "../../server/listen.ts"],
];

const plain = ["shared/cups/cup.repository.ts", "shared/kernel/host.ts", "shared/database/schema.ts"];
const libraries = ["electron", "express", "vitest", "better-sqlite3"];

let folder: string;
let result: ICruiseResult;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

interface Configuration {
  forbidden: NonNullable<IFlattenedRuleSet["forbidden"]>;
  options: { enhancedResolveOptions: object };
}

async function configuration(): Promise<Configuration> {
  const path = new URL("../../.dependency-cruiser.mjs", import.meta.url).href;
  const { default: found }: { default: Configuration } = await import(path);
  return found;
}

const importing = (what: string) =>
  what.startsWith("type ")
    ? `import type { x } from "${what.slice(5)}";\nexport type Y = typeof x;\n`
    : `import { x } from "${what}";\nexport const y = x;\n`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-layers-"));
  for (const path of [...plain, "shared/database/open.ts", "server/listen.ts", "shared/cups/cup.schema.ts"]) {
    await write(path, "export const x = 1;\n");
  }
  for (const [, file, imports] of refused) await write(file, importing(imports));
  for (const [file, imports] of allowed) await write(file, importing(imports));
  const devDependencies = { electron: "1.0.0", vitest: "1.0.0" };
  const dependencies = { express: "1.0.0", "better-sqlite3": "1.0.0" };
  await write("package.json", JSON.stringify({ type: "module", dependencies, devDependencies }));
  for (const name of libraries) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    await write(`node_modules/${name}/index.js`, "export const x = 1;\n");
  }
  const { options, forbidden } = await configuration();
  const { output } = await cruise(
    ["shared", "server", "main", "renderer", "test"],
    {
      ...options,
      tsConfig: undefined,
      baseDir: folder,
      ruleSet: { forbidden },
      validate: true,
      tsPreCompilationDeps: true,
    },
    options.enhancedResolveOptions,
  );
  result = output as ICruiseResult;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const rulesBrokenBy = (file: string) =>
  result.summary.violations
    .filter(({ from, cycle }) => from === file || cycle?.some(({ name }) => name === file))
    .map(({ rule }) => rule.name);

describe("who may import whom (style c)", () => {
  test.each(refused)("%s: %s may not import %s", (rule, file) => {
    expect(rulesBrokenBy(file)).toContain(rule);
  });

  test.each(allowed)("%s may import %s", (file) => {
    expect(rulesBrokenBy(file)).toEqual([]);
  });

  test("every rule has a case here, and a sentence", async () => {
    const { forbidden: rules } = await configuration();
    expect(new Set(refused.map(([rule]) => rule))).toEqual(new Set(rules.map(({ name }) => name)));
    expect(rules.filter(({ comment }) => (comment?.length ?? 0) < 20)).toEqual([]);
  });
});

describe("who may query (structure 7)", () => {
  const queries = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;
  const writes = /\.(insertInto|updateTable|deleteFrom)\(/;

  async function filesWith(pattern: string, text: RegExp): Promise<string[]> {
    const found: string[] = [];
    for await (const file of glob(`{shared,server,main}/**/*.${pattern}.ts`)) {
      if (text.test(await readFile(file, "utf8"))) found.push(file);
    }
    return found;
  }

  test("services, routes and presenters hold no query", async () => {
    expect(await filesWith("{service,routes,presenter}", queries)).toEqual([]);
  });

  test("a reader never writes", async () => {
    expect(await filesWith("reader", /selectFrom/)).not.toEqual([]);
    expect(await filesWith("reader", writes)).toEqual([]);
  });
});
