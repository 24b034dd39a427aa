import type { DraftInput } from "../../../shared/documents/draft-input.ts";
import type { Json } from "../../../shared/kernel/json.ts";
import { md5Of } from "./read/family.ts";
import { inputForm } from "./read/input-form.ts";
import type { TheirFile, TheirRecord } from "./read/their-record.ts";
import { isSameContent } from "./same-text.policy.ts";

/** A draft as the user saw it. */
export interface SeenDraft {
  input: DraftInput;
  /** The complete files of the draft. */
  files: readonly { key: string; md5: string }[];
}

type Fields = Record<string, Json | undefined>;

/** The access settings of a draft in the form of fields. */
const accessOf = ({ access: { record, files, embargo } }: DraftInput): Fields => ({
  access: [record, files, embargo.active, embargo.active ? (embargo.until ?? null) : null],
});

const fieldsOf = (input: DraftInput): Fields => ({
  ...(input.metadata as Fields),
  ...(input.custom_fields as Fields),
  ...(input.pids as Fields),
  ...accessOf(input),
});

const namesOf = (files: readonly { key: string; md5: string | undefined }[]): Json =>
  files.map(({ key, md5 }) => [key, md5 ?? ""].join("\n")).sort();

/** How the files are shown. The server keeps the names of removed files in their order. */
const viewOf = ({ files }: DraftInput, names: ReadonlySet<string>): Json => [
  files.enabled,
  files.default_preview !== null && names.has(files.default_preview) ? files.default_preview : null,
  files.order.filter((key) => names.has(key)),
];

/**
 * The fields in which a draft or record there is not what the user saw, but for the ways in which the site rewrites texts.
 * @param files those that are there; undefined if they cannot differ
 * @param isPublished fields that the user left empty do not count: the server fills some in
 */
export function differencesOf(
  seen: SeenDraft,
  theirs: TheirRecord,
  { files, isPublished = false }: { files: readonly TheirFile[] | undefined; isPublished?: boolean },
): string[] {
  const input = inputForm(theirs);
  const [mine, there] = [fieldsOf(seen.input), fieldsOf(input)];
  const keys = new Set([...Object.keys(mine), ...(isPublished ? [] : Object.keys(there))]);
  const fields = [...keys].filter((key) => !isSameContent(mine[key], there[key]));
  if (!files) return fields;
  const whole = files.flatMap(({ key, status, checksum }) =>
    status === "completed" ? [{ key, md5: md5Of(checksum) }] : [],
  );
  const names = new Set(whole.map(({ key }) => key));
  const isSame =
    isSameContent(namesOf(seen.files), namesOf(whole)) &&
    isSameContent(viewOf(seen.input, names), viewOf(input, names));
  return isSame ? fields : [...fields, "files"];
}

/** Says what was published otherwise than the user saw it. */
export const publishedOtherwise = (name: string, fields: readonly string[]): string =>
  `${name} published this, but not as you saw it. Somebody changed it meanwhile: ${fields.join(", ").replaceAll("_", " ")}. Look at the record, and edit it where yours is right.`;
