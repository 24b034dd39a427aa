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
/** The root's keys: exactly these. */
export const rootKeys = ["metadata", "custom_fields", "access", "pids", "files"] as const;
/** Where an item of a list keeps its place: a fraction in base 62 (see position.ts). */
export const positionKey = "_p";
/** Where an item of a list of words (sizes, formats, order) keeps the word. */
export const wordKey = "value";

const flag: ScalarPlace = { kind: "scalar", type: "boolean" };
const orNull: ScalarPlace = { kind: "scalar", type: "string", nullable: true };
const visibility: ScalarPlace = { ...linePlace, oneOf: ["public", "restricted"] };

/** The whole document: what a PUT of a draft could send (records 3.2, 6.6, 7.1, 8). */
export const layout: ObjectPlace = objectPlace(
  {
    metadata: metadataField.place,
    custom_fields: { kind: "open" },
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

/** The place at `path` below `from`; a list's item is reached by its key. Undefined when the layout has no such place. */
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
/** The place of a list's item: of a word, the map that holds it. */
export const itemPlace = (list: ListPlace): ObjectPlace => (list.item === "word" ? wordItem : list.item);
