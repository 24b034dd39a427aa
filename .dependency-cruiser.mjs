import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";

// Who may import whom. The suffix of a file is its layer, its folder the feature; the table in words is in
// shared/README.md. Type imports count, except where a rule says otherwise.
const pure = "[.](schema|policy|lifecycle|presenter)[.]ts$";
/** Pure files of another name: tsconfig.pure.json, which compiles them without Node's types, lists them. */
const pureByName = JSON.parse(readFileSync(new URL("tsconfig.pure.json", import.meta.url), "utf8"))
  .include.filter((path) => !path.includes("*"))
  .map((path) => `^${path.replaceAll(".", "[.]")}$`);
/** The hosts make the write door and the callers: they stand above all features. */
const hostFiles = ["^server/[^/]+[.]ts$", "^main/replica/[^/]+[.]ts$"];
const wiring = ["^(shared|server|main).*/(database|sync|upstreams)/", "^shared/(api[.]ts$|wiring/)", ...hostFiles];
const repository = "[.]repository[.]ts$";
const reader = "[.]reader[.]ts$";
const nodeModules = "^(node:)?(".concat(builtinModules.filter((name) => !name.startsWith("_")).join("|"), ")$");
/** Libraries without Node's types, free of input and output: all that pure code may stand on. */
const pureLibraries =
  "node_modules/(zod|kysely|edtf|iso-639-3|spdx-license-list|yjs|lib0|markdown-it|markdown-it-footnote)/";

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const layers = [
  rule(
    "schema-stands-on-schemas",
    "A .schema.ts file imports other schemas, pure kernel files and pure libraries: it runs anywhere.",
    { path: "[.]schema[.]ts$" },
    { path: "^(shared|server|main|renderer)/", pathNot: ["[.]schema[.]ts$", ...pureByName, "[.]json$"] },
  ),
  rule(
    "pure-stands-on-pure",
    "Policies, lifecycles and presenters import pure files, pure kernel files and row types, nothing that acts.",
    { path: "[.](policy|lifecycle|presenter)[.]ts$" },
    {
      path: "^(shared|server|main|renderer)/",
      pathNot: [pure, ...pureByName, "^shared/database/schema[.]ts$", "[.]json$"],
    },
  ),
  rule(
    "pure-knows-no-node",
    "A pure file, or something it imports, reaches Node or a library that brings Node's types.",
    { path: [`^shared/.*${pure}`, ...pureByName] },
    { path: [nodeModules, "node_modules/"], pathNot: [pureLibraries], reachable: true },
  ),
  rule(
    "repository-only-queries",
    "A repository holds queries: it imports no service, policy, presenter, route or express.",
    { path: repository },
    { path: ["[.](service|policy|lifecycle|presenter|routes)[.]ts$", "node_modules/(@types/)?express/"] },
  ),
  rule(
    "reader-only-reads-rows",
    "A reader holds queries that other features may use: it imports other readers, database/ and kernel files alone.",
    { path: reader },
    { path: "^(shared|server|main)/", pathNot: [reader, "^shared/(database|kernel)/", "[.]schema[.]ts$"] },
  ),
  rule(
    "repository-belongs-to-its-feature",
    "A repository is imported by its own folder, database/, sync/, upstreams/, api.ts and the hosts alone: ask that feature's service. Settings and locks belong to no feature.",
    {
      path: "^((shared|server|main).*)/[^/]+$",
      pathNot: wiring,
    },
    { path: repository, pathNot: ["^$1/[^/]+$", "^shared/database/(setting|lock)[.]repository[.]ts$"] },
  ),
  rule(
    "queries-stay-below-services",
    "Routes and presenters see no repository, no reader and no database: they call the service.",
    { path: "[.](routes|presenter)[.]ts$", pathNot: wiring },
    {
      path: [repository, reader, "^shared/database/", "node_modules/kysely/"],
      pathNot: "^shared/database/schema[.]ts$",
    },
  ),
  rule(
    "service-knows-no-http",
    "A service does not see HTTP: no routes, nothing of express that runs.",
    { path: "[.]service[.]ts$" },
    { path: ["[.]routes[.]ts$", "node_modules/(@types/)?express/"], dependencyTypesNot: ["type-only"] },
  ),
];

const hosts = [
  rule(
    "shared-knows-no-host",
    "shared/ is the product and does not know who runs it: no main, renderer, server or electron.",
    { path: "^shared/" },
    { path: ["^(main|renderer|server)/", "node_modules/electron/"] },
  ),
  rule(
    "kernel-knows-no-feature",
    "The kernel is what all features share: it imports itself, the database and the port of the blob store alone.",
    { path: "^shared/kernel/" },
    { path: "^shared/", pathNot: ["^shared/(kernel|database)/", "^shared/blobs/blob-store[.]ts$"] },
  ),
  rule(
    "server-knows-no-desktop",
    "The server imports shared/ only, never main/ or renderer/.",
    { path: "^server/" },
    { path: ["^(main|renderer)/", "node_modules/electron/"] },
  ),
  rule(
    "desktop-knows-no-server",
    "main/ imports shared/ only; the carrel command alone (cli.ts, commands/) may load a command of the server.",
    { path: "^main/", pathNot: "^main/(cli[.]ts$|commands/)" },
    { path: ["^server/", "^renderer/"] },
  ),
  rule(
    "renderer-sees-schemas",
    "The pages speak HTTP to the local API; of the rest of the program they may import .schema.ts files alone, and the pure files that tsconfig.pure.json names (the language of search).",
    { path: "^renderer/", pathNot: "[.]config[.]ts$" },
    { path: "^(shared|main|server)/", pathNot: ["^shared/.*[.]schema[.]ts$", ...pureByName] },
  ),
  rule(
    "electron-in-two-files",
    "Only main/index.ts and main/preload.ts load electron; elsewhere `import type` from it is all right in main/.",
    { pathNot: "^main/(index|preload)[.]ts$" },
    { path: ["^electron$", "node_modules/electron/"], dependencyTypesNot: ["type-only"] },
  ),
  rule(
    "nothing-imports-test",
    "Tests may import everything; nothing imports tests.",
    { path: "^(shared|server|main|renderer)/" },
    { path: "^test/" },
  ),
];

const order = [
  rule("no-cycles", "Two files that need each other are one file or three.", {}, { circular: true }),
  rule(
    "declared-dependencies",
    "What is imported is declared in package.json, and the product needs no development dependency at run time.",
    { path: "^(shared|server|main|renderer)/", pathNot: ["[.]config[.]ts$", "^main/dev-build[.]ts$"] },
    {
      dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown"],
      dependencyTypesNot: ["type-only"],
      pathNot: ["node_modules/electron/", "node_modules/@types/"],
    },
  ),
  rule("resolvable", "The imported file or package does not exist.", {}, { couldNotResolve: true }),
];

export default {
  forbidden: [...layers, ...hosts, ...order],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(out|test-results|playwright-report|coverage|node_modules/[.]cache)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.node.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
