import type { z } from "zod";
import { invalid, type Problem } from "./failure.ts";

type Issue = z.core.$ZodIssue;

const typeMessages: Record<string, string> = {
  string: "Not a valid string.",
  boolean: "Not a valid boolean.",
  array: "Not a valid list.",
  object: "Invalid input type.",
  number: "Not a valid number.",
  int: "Not a valid integer.",
};

type SizeIssue = z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall;

function sizeMessage(issue: SizeIssue): string {
  const isLength = issue.origin === "string" || issue.origin === "array";
  if (issue.code === "too_big") {
    return isLength
      ? `Longer than maximum length ${issue.maximum}.`
      : `Must be less than or equal to ${issue.maximum}.`;
  }
  return isLength
    ? `Shorter than minimum length ${issue.minimum}.`
    : `Must be greater than or equal to ${issue.minimum}.`;
}

const at = (path: PropertyKey[]): string => (path.length === 0 ? "_schema" : path.map(String).join("."));

function valueAt(root: unknown, path: PropertyKey[]): unknown {
  let value = root;
  for (const part of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[part];
  return value;
}

function problemsOf(issue: Issue, root: unknown): Problem[] {
  const path = issue.path;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ field: at([...path, key]), messages: ["Unknown field."] }));
  }
  if (issue.code === "invalid_type") {
    const value = valueAt(root, path);
    if (value === undefined) return [{ field: at(path), messages: ["Missing data for required field."] }];
    if (value === null && path.length > 0) return [{ field: at(path), messages: ["Field may not be null."] }];
    return [{ field: at(path), messages: [typeMessages[issue.expected] ?? "Invalid input type."] }];
  }
  if (issue.code === "too_big" || issue.code === "too_small") {
    return [{ field: at(path), messages: [sizeMessage(issue)] }];
  }
  if (issue.code === "invalid_value" && valueAt(root, path) === undefined) {
    return [{ field: at(path), messages: ["Missing data for required field."] }];
  }
  if (issue.code === "invalid_value") {
    return [{ field: at(path), messages: [`Must be one of: ${issue.values.map(String).join(", ")}.`] }];
  }
  return [{ field: at(path), messages: [issue.message] }];
}

const unionMessage = "Invalid input";

/** The mistakes that a schema found in a value, each with its path; `whole` names the value itself. */
export const describeIssues = (issues: readonly Issue[], value: unknown, whole: string): string[] =>
  issues.flatMap((issue) =>
    problemsOf(issue, value).map(({ field, messages }) => {
      const words = messages.map((text) => (text === unionMessage ? "Invalid input type." : text)).join(" ");
      return `${field === "_schema" ? whole : field}: ${words}`;
    }),
  );

/**
 * Parses a value with a schema.
 * @throws Failure 400 with one problem for each field that does not fit, in the contract's words.
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  throw invalid(outcome.error.issues.flatMap((issue) => problemsOf(issue, value)));
}
