import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { canStartStore } from "./support/engines/bucket.ts";
import { canStartOpenSearch } from "./support/engines/opensearch.ts";
import { canStartPostgres } from "./support/engines/postgres.ts";
import { temporaryFolder } from "./support/memory-folder.ts";

/** The longest first, so that the last of several workers does not end long after the others. */
const longest = [
  "sync/simulation",
  "sync/kill",
  "api/request-lifecycle",
  "sync/lost-connection",
  "api/random-metadata",
  "api/fuzz",
  "api/permissions",
  "search/oracle",
  "rules/metadata-properties",
  "api/request-permissions",
  "api/people-commands",
  "api/commands",
  "api/comments",
  "api/sign-in",
];

/**
 * Most test files share a process and its loaded modules: loading the server takes more than a second of processor time.
 * These have a process of their own, because they change it: clocks, mocks of modules, flags of the engine, threads.
 */
const stateful = [
  "test/api/clock-jumps.test.ts",
  "test/api/clocks-ahead.test.ts",
  "test/api/late-saves.test.ts",
  "test/api/set-clocks.test.ts",
  "test/api/sign-in-work.test.ts",
  "test/rules/comment-windows.test.ts",
  "test/rules/disk-blob-store.test.ts",
  "test/rules/draft-session.test.ts",
  "test/rules/embargo-job.test.ts",
  "test/rules/job.test.ts",
  "test/rules/linear-work.test.ts",
  "test/rules/live-events.test.ts",
  "test/rules/unanswered-call.test.ts",
  "test/rules/zip-reader.test.ts",
  "test/search/later-fields.test.ts",
  "test/search/rebuild-killed.test.ts",
  "test/search/search-thread.test.ts",
];

/** Whether the files named below are all of `test/api`. Each has a process of its own then, the stateful ones too. */
const isWhole = process.env.CARREL_SCALED_FILES === "all";

/** Node loads the sources itself: with Vite each project transforms them again. The stateful files mock modules by Vite. */
const loadedByNode = { viteModuleRunner: isWhole, nodeLoader: false };

/**
 * Files that also run on two server processes of one data folder. `npm run test:scaled` takes all of `test/api`; these
 * cover what the processes share: answers, revisions, uploads, repeated calls.
 */
const scaled = isWhole
  ? ["test/api/**/*.test.ts"]
  : ["drafts", "merging", "uploads", "idempotency"].map((name) => `test/api/${name}.test.ts`);

/** These count the statements of SQLite. */
const ofSqlite = ["test/api/statements.test.ts"];

/** Files that also run with the bytes in a bucket: what calls the store of the bytes, not only stores some. */
const onBucket = isWhole
  ? ["test/api/**/*.test.ts"]
  : ["uploads", "files", "blobs", "downloads", "containers"].map((name) => `test/api/${name}.test.ts`);

/** Whether PostgreSQL can be started here; otherwise its tests are skipped, which `startPostgres` says. */
const hasPostgres = canStartPostgres();

/** Whether OpenSearch can be started here; its project is left out otherwise, which nothing else would say. */
const hasOpenSearch = canStartOpenSearch();
if (!hasOpenSearch)
  process.stderr.write("SKIPPED: tests on OpenSearch. Java 21 and Maven start it, or CARREL_TEST_SEARCH names one.\n");

/** The tests of OpenSearch, and the files of the API that search: all of `test/api` in `npm run test:opensearch`. */
const onOpenSearch = [
  "test/opensearch/**/*.test.ts",
  ...(process.env.CARREL_SCALED_FILES === "all" ? ["test/api/**/*.test.ts"] : ["test/api/search-records.test.ts"]),
];

const projectsInTurn = ["isolated", "postgres", "bucket", "opensearch", "scaled", "shared"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? longest.length : at;
    };
    // A worker is kept as long as the next file is of the same project. Most files are of the last one.
    const turn = ({ project }: TestSpecification): number => projectsInTurn.indexOf(project.name);
    return files.toSorted((a, b) => turn(a) - turn(b) || place(a) - place(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    projects: [
      {
        extends: true,
        test: { name: "isolated", include: stateful, isolate: true, experimental: { viteModuleRunner: true } },
      },
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/!(bucket|opensearch)/**/*.test.ts"],
          exclude: stateful,
          isolate: false,
        },
      },
      { extends: true, test: { name: "scaled", include: scaled, env: { CARREL_SCALED: "1" } } },
      {
        extends: true,
        test: {
          name: "bucket",
          include: ["test/bucket/**/*.test.ts", ...(canStartStore() ? onBucket : [])],
          env: { CARREL_ON_BUCKET: "1" },
          globalSetup: "test/support/engines/global-bucket.ts",
        },
      },
      ...(hasPostgres
        ? [
            {
              extends: true,
              test: {
                name: "postgres",
                include: scaled,
                exclude: ofSqlite,
                env: { CARREL_ON_POSTGRES: "1" },
                globalSetup: "test/support/engines/global-postgres.ts",
              },
            } as const,
          ]
        : []),
      ...(hasOpenSearch
        ? [
            {
              extends: true,
              test: {
                name: "opensearch",
                include: onOpenSearch,
                env: { CARREL_ON_OPENSEARCH: "1" },
                globalSetup: "test/support/engines/global-opensearch.ts",
              },
            } as const,
          ]
        : []),
    ],
    // better-sqlite3 is native code: a crash must end one worker, not the run.
    pool: "forks",
    setupFiles: ["test/support/close-left.ts"],
    isolate: isWhole,
    experimental: loadedByNode,
    // Each waits for about half of its time. A percentage would be cut to the number of processors.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // A machine under load is slow, not wrong: only what will never come runs into these.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }]],
    // Without it `require("electron")` would try to fetch a runtime from the network.
    env: { ELECTRON_OVERRIDE_DIST_PATH: "/nonexistent", CARREL_BALLAST_MIB: "8", TMPDIR: temporaryFolder() },
  },
});
