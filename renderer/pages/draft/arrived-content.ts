import { diffText } from "../../../shared/documents/text-diff.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { type DraftContent, isSame } from "./draft-content.ts";

// A save whose answer was lost may have arrived. Merging it with itself would double every letter.

/** Whether the host may have executed a call although it failed here. */
export const isWithoutAnswer = (error: unknown): boolean =>
  !(error instanceof ApiFailure) || error.status === 0 || error.status >= 500;

/** How many characters differ. */
const distance = (a: string, b: string): number =>
  diffText(a, b).reduce((sum, { remove, insert }) => sum + remove + insert.length, 0);

/** Which of several values, the saved one first, the value on the server comes from. */
function originOf(values: readonly unknown[], there: unknown): unknown {
  // The server trims texts.
  const stored = values.map((value) => (typeof value === "string" ? value.trim() : value));
  if (stored.some((value) => isSame(value, there))) return there;
  if (typeof there !== "string" || !stored.every((value) => typeof value === "string")) return values[0];
  return stored.toSorted((a, b) => distance(a, there) - distance(b, there))[0];
}

type Fields = Record<string, unknown>;

function originOfFields<F extends Fields>(contents: readonly F[], there: Fields): F {
  const fields: Fields = { ...contents[0] };
  for (const key of new Set([...contents, there].flatMap(Object.keys))) {
    const origin = originOf(
      contents.map((content) => content[key]),
      there[key],
    );
    if (origin === undefined) delete fields[key];
    else fields[key] = origin;
  }
  return fields as F;
}

/**
 * The content that the draft on the server is based on, field by field: what was saved, or what was sent since without
 * an answer.
 * @param unanswered contents that were sent
 * @param incoming the draft as it is on the server now
 */
export function arrivedContent(
  saved: DraftContent,
  unanswered: readonly DraftContent[],
  incoming: DraftContent,
): DraftContent {
  const contents = [saved, ...unanswered];
  const whole = <K extends keyof DraftContent>(key: K) =>
    originOf(
      contents.map((content) => content[key]),
      incoming[key],
    ) as DraftContent[K];
  return {
    metadata: originOfFields(
      contents.map(({ metadata }) => metadata),
      incoming.metadata,
    ),
    custom_fields: originOfFields(
      contents.map(({ custom_fields }) => custom_fields),
      incoming.custom_fields,
    ),
    access: whole("access"),
    pids: whole("pids"),
    files: whole("files"),
  };
}
