import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { chromiumFlags, chromiumPath } from "../support/chromium.ts";
import { temporaryFolder } from "../support/memory-folder.ts";

process.env.CARREL_BALLAST_MIB ??= "8";
process.env.TMPDIR = temporaryFolder();
/** Pages compile and collect garbage on their own thread: a twentieth less work where all processors are busy. */
const onOneThread = "--js-flags=--single-threaded --min-semi-space-size=16";
const results = fileURLToPath(new URL("../../test-results/", import.meta.url));

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: `${results}browser`,
  // Generous limits: a machine under load is slow, not wrong.
  timeout: 600_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000 } },
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // Node strips the types itself, in a tenth of the processor time that Playwright's compiler takes.
  build: { external: ["**/{main,server,shared}/**", "**/test/support/**"] },
  reporter: [["list"], ["json", { outputFile: `${results}playwright.json` }]],
  use: {
    launchOptions: { executablePath: chromiumPath(), args: [...chromiumFlags, onOneThread] },
    screenshot: "only-on-failure",
    // An element that cannot be pressed fails early, not at the end of the test's time.
    actionTimeout: 60_000,
  },
});
