import type { CommentAbout } from "../../../shared/comments/about.schema.ts";
import type { RequestEvent } from "../../api-client/request-types.ts";
import { hashOf } from "../../format/text-hash.ts";

/** The field or file that a comment is about. */
export function placeOf({ about }: RequestEvent): CommentAbout | undefined {
  if (about?.field !== undefined) return { field: about.field };
  return about?.file === undefined ? undefined : { file: about.file };
}

export const nameOf = (about: CommentAbout): string => ("field" in about ? about.field : about.file);

export const isSamePlace = (a: CommentAbout, b: CommentAbout): boolean =>
  "field" in a === "field" in b && nameOf(a) === nameOf(b);

export const placeHash = "place-";

/** The address of a place: the tab, and the part of the page. */
export const addressOfPlace = (about: CommentAbout) => ({
  tab: "field" in about ? ("record" as const) : ("files" as const),
  hash: `${placeHash}${nameOf(about)}`,
});

/** Where the unsent comment on a place is stored. Names of files are longer than names of editors may be. */
export function editorOfPlace(about: CommentAbout): string {
  const name = nameOf(about);
  const half = (text: string) => hashOf(text).toString(16).padStart(8, "0");
  return `${"field" in about ? "field" : "file"}-${half(name)}${half([...name].toReversed().join(""))}`;
}

/** The name of a field as `useFieldLabel` knows it. */
export const fieldName = (field: string): string => field.replace(/^metadata\./, "");
