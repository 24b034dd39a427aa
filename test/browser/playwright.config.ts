import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { chromiumFlags, requireChromium } from "../support/chromium.ts";

process.env.CARREL_BALLAST_MIB ??= "8";
const results = fileURLToPath(new URL("../../test-results/", import.meta.url));

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: `${results}browser`,
  // A machine under load is slow, not wrong: only what will never come runs into these.
  timeout: 300_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000 } },
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: `${results}playwright.json` }]],
  use: {
    launchOptions: { executablePath: requireChromium(), args: chromiumFlags },
    screenshot: "only-on-failure",
    // What can never be pressed ends its test early, not when the whole story's time is over.
    actionTimeout: 60_000,
  },
});
