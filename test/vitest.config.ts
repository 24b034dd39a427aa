import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

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

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? longest.length : at;
    };
    return files.toSorted((a, b) => place(a) - place(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    // better-sqlite3 is native code: a crash must end one worker, not the run.
    pool: "forks",
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    // A machine under load is slow, not wrong: only what will never come runs into these.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }]],
    // Without it `require("electron")` would try to fetch a runtime from the network.
    env: { ELECTRON_OVERRIDE_DIST_PATH: "/nonexistent", CARREL_BALLAST_MIB: "8" },
  },
});
