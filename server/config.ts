import { readFileSync } from "node:fs";
import { Failure } from "../shared/kernel/failure.ts";
import { describeIssues } from "../shared/kernel/parse.ts";
import { UsageError } from "../shared/kernel/usage-error.ts";
import { type Settings, settingsSchema } from "../shared/settings/settings.schema.ts";
import { parseBucketAddress, writeBucketAddress } from "./s3/bucket-address.ts";

/** Where JSON ends being JSON. The rest of the message may quote a password. */
const placeOf = (error: unknown): string => {
  const place = error instanceof Error ? /line \d+ column \d+/.exec(error.message) : null;
  return place ? ` (${place[0]})` : "";
};

/**
 * Reads the settings of a JSON configuration file; the contract's defaults without one.
 * @throws Failure `unavailable` that names the file and the mistakes.
 */
export function readSettings(file: string | undefined): Settings {
  if (file === undefined) return settingsSchema.parse({});
  const refuse = (reason: string) => new Failure("unavailable", `The configuration file ${file} ${reason}.`);
  let text: string;
  try {
    // Some editors begin a file with a byte order mark.
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch {
    throw refuse("cannot be read");
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw refuse(`is not JSON${placeOf(error)}`);
  }
  const outcome = settingsSchema.safeParse(json);
  if (outcome.success) return outcome.data;
  const mistakes = describeIssues(outcome.error.issues, json, "the file").map((words) => words.replace(/[.]$/, ""));
  throw refuse(`has mistakes: ${mistakes.join("; ")}`);
}

/**
 * Parses `--trust-proxy`: a number of proxies, or their addresses and networks separated by commas.
 * @throws UsageError
 */
export function parseTrustProxy(text: string): NonNullable<Settings["trust_proxy"]> {
  const sent = /^\d+$/.test(text) ? Number(text) : text.split(",").map((part) => part.trim());
  const outcome = settingsSchema.shape.trust_proxy.safeParse(sent);
  if (outcome.success && outcome.data !== undefined) return outcome.data;
  throw new UsageError(
    `--trust-proxy must be a number of proxies from 1 to 10, or addresses and networks such as 10.0.0.0/8, not '${text}'.`,
  );
}

/**
 * Parses an option, or the environment variable that stands for it when the option is absent.
 * @throws UsageError that names the one that was read.
 */
export function optionOrVariable<Value>(
  parse: (text: string | undefined) => Value,
  option: string | undefined,
  variable: `CARREL_${string}`,
): Value {
  if (option !== undefined) return parse(option);
  try {
    return parse(process.env[variable]);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(error.message.replace(/^--[a-z]+/, variable));
    throw error;
  }
}

/** An address of PostgreSQL; undefined without one. @throws UsageError */
export function parseDatabase(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new UsageError("--database must be an address like postgres://carrel@db.example.org/carrel.");
}

/** An address of a bucket; undefined without one. @throws UsageError */
export const parseBlobs = (text: string | undefined): string | undefined =>
  text === undefined || text === "" ? undefined : writeBucketAddress(parseBucketAddress(text));

/** An address of OpenSearch; undefined without one. @throws UsageError */
export function parseSearch(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (/^opensearch\+https?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new UsageError("--search must be an address like opensearch+http://search.example.org:9200/carrel.");
}

const maxDrainSeconds = 3600;

/** `--drain` in seconds; undefined without it. @throws UsageError */
export function parseDrain(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (/^\d{1,4}$/.test(text) && seconds <= maxDrainSeconds) return seconds;
  throw new UsageError(`--drain must be a number of seconds from 0 to ${maxDrainSeconds}, not '${text}'.`);
}
