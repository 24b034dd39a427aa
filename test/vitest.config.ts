import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    // better-sqlite3 is native code: a crash must end one worker, not the run.
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }]],
    // Without it `require("electron")` would try to fetch a runtime from the network.
    env: { ELECTRON_OVERRIDE_DIST_PATH: "/nonexistent" },
  },
});
