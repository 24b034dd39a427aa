import { invalidField, type Problem } from "../kernel/failure.ts";
import { isObject } from "../kernel/json.ts";
import { isDay } from "../metadata/edtf.schema.ts";
import type { Embargo, StoredAccess, Visibility } from "./stored-access.schema.ts";

export const publicAccess: StoredAccess = {
  record: "public",
  files: "public",
  embargo: { active: false, reason: null },
};

export interface CheckedAccess {
  value: StoredAccess;
  problems: Problem[];
}

const problem = (field: string, message: string): Problem => ({ field, messages: [message] });

/** @throws Failure 400 for anything but `public` and `restricted` (records 3.3). */
function visibility(input: unknown, field: string): Visibility {
  if (input === "public" || input === "restricted") return input;
  throw invalidField(
    `access.${field}`,
    input === undefined ? "Missing data for required field." : `'${field}' must be either 'public' or 'restricted'`,
  );
}

function unknownKeys(input: Record<string, unknown>, path: string, known: readonly string[]): Problem[] {
  const keys = Object.keys(input).filter((key) => !known.includes(key));
  return keys.map((key) => problem(`${path}.${key}`, "Unknown field."));
}

const noEmbargo = (): Embargo => ({ active: false, reason: null });

/** The embargo in stored form, and its problems on the day `today` (records 7.1). */
function readEmbargo(input: unknown, today: string): { value: Embargo; problems: Problem[] } {
  if (input === undefined || input === null) return { value: noEmbargo(), problems: [] };
  const path = "access.embargo";
  if (!isObject(input)) return { value: noEmbargo(), problems: [problem(path, "Invalid input type.")] };
  const problems = unknownKeys(input, path, ["active", "until", "reason"]);
  const isFlag = typeof input.active === "boolean";
  if (!isFlag && input.active !== undefined) problems.push(problem(`${path}.active`, "Not a valid boolean."));
  const isReason = typeof input.reason === "string" || input.reason === null || input.reason === undefined;
  if (!isReason) problems.push(problem(`${path}.reason`, "Not a valid string."));
  const until = typeof input.until === "string" && isDay(input.until) ? input.until : undefined;
  const isSent = input.until !== undefined && input.until !== null && input.until !== "";
  const active = input.active === true;
  if (isSent && until === undefined) problems.push(problem(`${path}.until`, "Not a valid date."));
  else if (active && (until === undefined || until <= today)) {
    problems.push(problem(`${path}.until`, "Embargo end date must be set to a future date."));
  } else if (!active && until !== undefined && until > today) {
    problems.push(problem(`${path}.until`, "Embargo end date must be unset or in the past."));
  }
  const reason = typeof input.reason === "string" && input.reason !== "" ? input.reason : null;
  return { value: { active, reason, ...(until === undefined ? {} : { until }) }, problems };
}

/**
 * Reads `access` of a draft body (records 3.2, 3.3, 7.1). A restricted record and an embargo restrict the files. Problems
 * of the embargo are reported; only publishing is refused for them.
 * @param today `YYYY-MM-DD`, UTC.
 * @throws Failure 400 when `record` or `files` is missing or invalid.
 */
export function readAccessInput(input: unknown, today: string): CheckedAccess {
  if (!isObject(input)) throw invalidField("access", "Invalid input type.");
  const record = visibility(input.record, "record");
  const files = visibility(input.files, "files");
  const embargo = readEmbargo(input.embargo, today);
  const problems = [...unknownKeys(input, "access", ["record", "files", "embargo", "status"]), ...embargo.problems];
  const { active, until = "" } = embargo.value;
  // Else a record whose embargo is announced would already be open.
  const isClosed = record === "restricted" || (active && until > today);
  return { value: { record, files: isClosed ? "restricted" : files, embargo: embargo.value }, problems };
}
