import { readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { buildProgram, buildRenderer } from "../main/dev-build.ts";
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
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** A file, in it its tests, and each run of each. */
const playwrightSpec = z.object({
  title: z.string(),
  tests: z.array(
    z.object({
      results: z.array(
        z.object({
          duration: z.number(),
          status: z.string(),
          errors: z.array(z.object({ message: z.string().default("") })).default([]),
          attachments: z.array(z.object({ name: z.string(), path: z.string().optional() })).default([]),
        }),
      ),
    }),
  ),
});
const playwrightSuite = z.object({
  file: z.string(),
  specs: z.array(playwrightSpec),
  suites: z.array(z.object({ specs: z.array(playwrightSpec) })).default([]),
});
const playwrightResult = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
});

/** Seconds of each test file, hooks of the browser tests aside. */
const secondsOf = new Map<string, number>();

/** Each failed test with the first lines of its reason. They are said last, because readers see the end of a long log. */
const failures: string[] = [];

const firstLines = (text: string, count: number) => stripVTControlCharacters(text).trim().split("\n").slice(0, count);

/** @param page what a page showed at the failure. */
function noteFailure(test: string, reason: string, page = ""): void {
  failures.push([test, ...firstLines(reason, 25), ...firstLines(page, 80)].join("\n    "));
}

/** The accessibility tree of the page of a failed test, which Playwright keeps in a file. */
async function pageOf(attachments: { name: string; path?: string | undefined }[]): Promise<string> {
  const { path } = attachments.find(({ name }) => name === "error-context") ?? {};
  const [, tree = ""] = path ? (/```yaml\n([\s\S]*?)```/.exec(await readFile(path, "utf8")) ?? []) : [];
  return tree;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const results = (name: string) => join(repository, "test-results", name);

/** A run that broke without naming a failed test still counts as a failure. */
const withExitCode = (tally: Tally, code: number): Tally =>
  code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

async function readResult<T>(
  name: string,
  schema: z.ZodType<T>,
  tally: (result: T) => Tally | Promise<Tally>,
): Promise<Tally> {
  try {
    return await tally(schema.parse(JSON.parse(await readFile(results(name), "utf8"))));
  } catch (error) {
    print(`No result in ${results(name)}: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function vitest(): Promise<Tally> {
  const { code } = await run("vitest", ["run", "--config", "test/vitest.config.ts"], {
    live: true,
    env: { CARREL_PROGRAM: join(repository, "out/main/cli.js") },
  });
  const tally = await readResult("vitest.json", vitestResult, (result) => {
    // A file that cannot be loaded has no failed test of its own.
    const broken = result.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
    );
    for (const { name, message } of broken) noteFailure(relative(repository, name), message);
    for (const { name, startTime, endTime, assertionResults } of result.testResults) {
      const file = relative(repository, name);
      secondsOf.set(file, (endTime - startTime) / 1000);
      for (const { status, fullName, failureMessages } of assertionResults) {
        if (status === "failed") noteFailure(`${file}: ${fullName}`, failureMessages?.join("\n") ?? "");
      }
    }
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
    findOrInstallChromium(print);
  } catch (error) {
    print(`Browser tests cannot run: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const args = ["test", "--config", "test/browser/playwright.config.ts", "--pass-with-no-tests"];
  const { code } = await run("playwright", args, { live: true });
  const tally = await readResult("playwright.json", playwrightResult, async ({ stats, suites }) => {
    for (const { file, specs, suites: inner } of suites) {
      const all = [...specs, ...inner.flatMap((one) => one.specs)];
      const runs = all.flatMap(({ title, tests }) =>
        tests.flatMap(({ results }) => results.map((result) => ({ ...result, title }))),
      );
      for (const { title, status, errors, attachments } of runs) {
        if (status === "passed" || status === "skipped") continue;
        const reason = errors.map(({ message }) => message).join("\n");
        noteFailure(`test/browser/${file}: ${title}`, reason, await pageOf(attachments));
      }
      secondsOf.set(`test/browser/${file}`, runs.reduce((sum, { duration }) => sum + duration, 0) / 1000);
    }
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  });
  return withExitCode(tally, code);
}

/** What a run must stay below is 15 minutes on two cores: where they went. */
function saySlowest(): void {
  const slowest = [...secondsOf].sort(([, a], [, b]) => b - a).slice(0, 12);
  print("The slowest files, in seconds:");
  for (const [file, seconds] of slowest) print(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}

await rm(results(""), { recursive: true, force: true });
const started = performance.now();
// Tests that start processes of Carrel run what is installed, which also starts faster. Both parts are built before any
// test runs: several tests build what is stale, and they would do it at the same time.
await Promise.all([buildProgram(print), buildRenderer(print)]);
// All at once: each of them waits for about half of its time, for processes, sockets and timers.
const [failedChecks, withoutBrowser, inBrowser] = await Promise.all([check(), vitest(), browser()]);
const tallies = [{ passed: 0, failed: failedChecks.length, skipped: 0 }, withoutBrowser, inBrowser];
saySlowest();
print(`${((performance.now() - started) / 60_000).toFixed(1)} minutes`);
const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0);
for (const failure of failures) print(`FAILED ${failure}`);
if (failedChecks.length > 0) print(`check failed (each counts as one): ${failedChecks.join(", ")}`);
print(`${sum("passed")} passed, ${sum("failed")} failed${sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : ""}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
