import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { buildRenderer } from "../main/working-copy.ts";
import { check } from "./check.ts";
import { findOrInstallChromium } from "./support/chromium.ts";
import { repository, run } from "./support/run.ts";

/** `npm test`: the checks, the tests without a browser, the tests in a browser; then one line with the sum. */
interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const vitestResult = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

const playwrightResult = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

const say = (line: string) => process.stdout.write(`${line}\n`);
const results = (name: string) => join(repository, "test-results", name);

/** A run that broke without naming a failed test still counts as a failure. */
const withExitCode = (tally: Tally, code: number): Tally =>
  code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

async function readResult<T>(name: string, schema: z.ZodType<T>, tally: (result: T) => Tally): Promise<Tally> {
  try {
    return tally(schema.parse(JSON.parse(await readFile(results(name), "utf8"))));
  } catch (error) {
    say(`No result in ${results(name)}: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function vitest(): Promise<Tally> {
  const { code } = await run("vitest", ["run", "--config", "test/vitest.config.ts"], { live: true });
  const tally = await readResult("vitest.json", vitestResult, (result) => {
    // A file that cannot be loaded has no failed test of its own.
    const broken = result.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
    );
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + broken.length,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  });
  return withExitCode(tally, code);
}

async function browser(): Promise<Tally> {
  try {
    findOrInstallChromium(say);
    await buildRenderer(say);
  } catch (error) {
    say(`Browser tests cannot run: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const args = ["test", "--config", "test/browser/playwright.config.ts", "--pass-with-no-tests"];
  const { code } = await run("playwright", args, { live: true });
  const tally = await readResult("playwright.json", playwrightResult, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }));
  return withExitCode(tally, code);
}

await rm(results(""), { recursive: true, force: true });
const failedChecks = await check();
const tallies = [{ passed: 0, failed: failedChecks.length, skipped: 0 }, await vitest(), await browser()];
const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0);
if (failedChecks.length > 0) say(`check failed (each counts as one): ${failedChecks.join(", ")}`);
say(`${sum("passed")} passed, ${sum("failed")} failed${sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : ""}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
