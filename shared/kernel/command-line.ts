import { type ParseArgsConfig, parseArgs } from "node:util";
import type { z } from "zod";
import { Failure } from "./failure.ts";
import { parse } from "./parse.ts";
import { UsageError } from "./usage-error.ts";

/** A command of the program: `carrel <name> …`. */
export interface CliCommand {
  /** Printed for `--help`: usage, options, an example. */
  help: string;
  /** Goes on when nobody reads what it prints. */
  serves?: true;
  /** @throws UsageError for wrong arguments, Failure for other expected refusals. */
  run(args: string[]): Promise<void>;
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Options and positionals of a command line. @throws UsageError with a message of one line. */
export function parseCommandLine<T extends Options>(args: string[], options: T, positionals = 0) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: positionals > 0, strict: true });
    if (parsed.positionals.length > positionals) throw new Error(`Unexpected argument '${parsed.positionals.at(-1)}'`);
    return parsed;
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

/** The value of a required option. @throws UsageError that names the option. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === "") throw new UsageError(`--${option} is missing.`);
  return value;
}

/** What a service refused, named by its option; undefined for other errors. */
function refusedOption(error: unknown): string | undefined {
  const [problem] = error instanceof Failure ? error.problems : [];
  if (!problem) return undefined;
  // An option that may be given several times is named for one of its values.
  const [name = ""] = problem.field.split(".");
  const option = name.replaceAll("_", "-").replace(/^(role|scope)s$/, "$1");
  return `--${option}: ${problem.messages.join(" ")}`;
}

/** Throws a usage error that names the option whose value a service refused; other errors as they are. */
export function throwUsage(error: unknown): never {
  const words = refusedOption(error);
  throw words === undefined ? error : new UsageError(words);
}

/** Parses options that a schema knows by their names. @throws UsageError that names the first wrong one. */
export function parseOptions<T>(schema: z.ZodType<T>, options: unknown): T {
  try {
    return parse(schema, options);
  } catch (error) {
    throwUsage(error);
  }
}

/** Throws a failure that names the option whose value does not fit the data; other errors as they are. */
export function throwUnfit(error: unknown): never {
  const words = refusedOption(error);
  throw words === undefined ? error : new Failure("invalid", words);
}

/** A port number, 0 for any free one. @throws UsageError */
export function parsePort(text: string, option = "port"): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--${option} must be a number from 0 to 65535, not '${text}'.`);
  return port;
}

/** A base URL without a trailing slash. @throws UsageError */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!isPlain) throw new UsageError(`--base-url must be an address like https://library.example.org, not '${text}'.`);
  return text.replace(/\/+$/, "");
}

/**
 * A server's own base URL. It has no path: pages, cookies and the links of files begin at the root of their host.
 * @throws UsageError
 */
export function parseOwnBaseUrl(text: string): string {
  const address = parseBaseUrl(text);
  const { pathname } = new URL(address);
  if (pathname === "/") return address;
  throw new UsageError(
    `--base-url cannot have a path ('${pathname}'). Give the server a host name of its own, such as https://library.example.org.`,
  );
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** A log level. @throws UsageError */
export function parseLogLevel(text: string): string {
  if (!logLevels.includes(text)) throw new UsageError(`--log-level must be one of ${logLevels.join(", ")}.`);
  return text;
}

/** Prints a result on stdout, one JSON object per line. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Resolves when the process is asked to stop, or its terminal is closed. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
    // A closing terminal may send it twice. The second one must not end the process while it stops.
    process.on("SIGHUP", () => resolve());
  });
}
