import { metadataField } from "../metadata/metadata.schema.ts";
import {
  type ListPlace,
  linePlace,
  type ObjectPlace,
  objectPlace,
  type Place,
  type ScalarPlace,
  valuePlace,
  wordsPlace,
} from "../metadata/place.schema.ts";

/** Name of the root `Y.Map` (hosts-and-sync 8, Live document). */
export const rootName = "draft";
/** The keys of the root; it has no others. */
export const rootKeys = ["metadata", "custom_fields", "access", "pids", "files"] as const;
/** The key of a list item's position: a fraction in base 62 (see position.ts). */
export const positionKey = "_p";
/** The key of the text in an item of a list of texts (sizes, formats, order). */
export const wordKey = "value";

const flag: ScalarPlace = { kind: "scalar", type: "boolean" };
const orNull: ScalarPlace = { kind: "scalar", type: "string", nullable: true };
const visibility: ScalarPlace = { ...linePlace, oneOf: ["public", "restricted"] };

/** The layout of the whole document: everything that a PUT of a draft can send (records 3.2, 6.6, 7.1, 8). */
export const layout: ObjectPlace = objectPlace(
  {
    metadata: metadataField.place,
    custom_fields: { kind: "open", mergesMembers: true },
    access: objectPlace(
      {
        record: visibility,
        files: visibility,
        embargo: objectPlace({ active: flag, until: linePlace, reason: orNull }),
      },
      ["record", "files"],
    ),
    pids: { kind: "open" },
    files: objectPlace({ enabled: flag, default_preview: orNull, order: wordsPlace }, ["enabled"]),
  },
  rootKeys,
);

/** The place at `path` below `from`; a list item is addressed by its key. Undefined when the layout has no such place. */
export function placeAt(path: readonly string[], from: Place = layout): Place | undefined {
  let place: Place | undefined = from;
  for (const key of path) {
    if (place?.kind === "object") place = Object.hasOwn(place.fields, key) ? place.fields[key] : undefined;
    else if (place?.kind === "list") place = itemPlace(place);
    else if (place?.kind === "open") place = valuePlace;
    else return undefined;
  }
  return place;
}

const wordItem: ObjectPlace = objectPlace({ [wordKey]: linePlace }, [wordKey]);
/** The place of a list item; for a list of texts, the map that holds the text. */
export const itemPlace = (list: ListPlace): ObjectPlace => (list.item === "word" ? wordItem : list.item);
