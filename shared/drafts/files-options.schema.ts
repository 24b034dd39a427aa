import { invalidField, type Problem } from "../kernel/failure.ts";
import { isObject } from "../kernel/json.ts";

/** The options of a draft's files as stored (records 6.6). */
export interface FilesOptions {
  enabled: boolean;
  default_preview: string | null;
  order: string[];
}

/** The facts that validate the options. */
export interface FilesSituation {
  current: FilesOptions;
  /** Entries of the draft. */
  entries: readonly { key: string; status: string }[];
}

export interface CheckedFilesOptions {
  value: FilesOptions;
  problems: Problem[];
}

const problem = (field: string, message: string): Problem => ({ field, messages: [message] });

export const missingFilesMessage =
  "Missing uploaded files. To disable files for this record please mark it as metadata-only.";
const outputOnly = ["enabled", "default_preview", "order", "entries", "count", "total_bytes", "links"];

function readPreview(sent: unknown, { current, entries }: FilesSituation, problems: Problem[]): string | null {
  if (sent === undefined || sent === null || sent === "") return null;
  if (typeof sent !== "string") {
    problems.push(problem("files.default_preview", "Not a valid string."));
    return current.default_preview;
  }
  if (entries.some(({ key, status }) => key === sent && status === "completed")) return sent;
  problems.push(problem("files.default_preview", `No file with key "${sent}"`));
  return current.default_preview;
}

function readOrder(sent: unknown, { current, entries }: FilesSituation, problems: Problem[]): string[] {
  if (sent === undefined || sent === null) return [];
  if (!Array.isArray(sent) || sent.some((name) => typeof name !== "string")) {
    problems.push(problem("files.order", "Not a valid list."));
    return current.order;
  }
  const unknown = sent.find((name) => !entries.some(({ key }) => key === name));
  if (unknown === undefined) return [...new Set<string>(sent)];
  problems.push(problem("files.order", `File with key "${unknown}" does not exist`));
  return current.order;
}

/**
 * Reads `files` of a draft body (records 3.2, 6.6). An invalid option is reported and stays unchanged.
 * `{}` counts as absent.
 * @throws Failure 400 without a boolean `enabled`.
 */
export function readFilesOptions(input: unknown, situation: FilesSituation): CheckedFilesOptions {
  if (!isObject(input)) throw invalidField("files", "Invalid input type.");
  if (Object.keys(input).length === 0) return { value: situation.current, problems: [] };
  if (typeof input.enabled !== "boolean") {
    const isMissing = input.enabled === undefined;
    throw invalidField("files.enabled", isMissing ? "Missing data for required field." : "Not a valid boolean.");
  }
  const problems = Object.keys(input)
    .filter((key) => !outputOnly.includes(key))
    .map((key) => problem(`files.${key}`, "Unknown field."));
  const hasFiles = situation.entries.length > 0;
  if (!input.enabled && hasFiles) {
    const message = "You must first delete all files to set the record to be metadata-only.";
    problems.push(problem("files.enabled", message));
  }
  const enabled = input.enabled || hasFiles;
  const default_preview = readPreview(input.default_preview, situation, problems);
  return { value: { enabled, default_preview, order: readOrder(input.order, situation, problems) }, problems };
}
