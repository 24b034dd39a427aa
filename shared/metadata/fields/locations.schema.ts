import { z } from "zod";
import { placeSchemes } from "../../identifiers/scheme.schema.ts";
import { isObject } from "../../kernel/json.ts";
import { type Field, list, messages, object, report, searched } from "../field.schema.ts";
import { identifiersOf, onePerScheme } from "../identifiers.schema.ts";
import { valuePlace } from "../place.schema.ts";
import { text } from "../text.schema.ts";

export interface Geometry {
  type: string;
  coordinates: unknown[];
}

const isPosition = (value: unknown): value is number[] => {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
  if (!value.every((part) => typeof part === "number" && Number.isFinite(part))) return false;
  const [longitude, latitude] = value as [number, number];
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
};

const isListOf = (isItem: (value: unknown) => boolean, min: number) => (value: unknown) =>
  Array.isArray(value) && value.length >= min && value.every(isItem);

const isLine = isListOf(isPosition, 2);

function isRing(value: unknown): boolean {
  if (!Array.isArray(value) || !isListOf(isPosition, 4)(value)) return false;
  const [first, last] = [value[0] as number[], value.at(-1) as number[]];
  return first.length === last.length && first.every((part, index) => part === last[index]);
}

const isPolygon = isListOf(isRing, 1);

/** GeoJSON geometries (RFC 7946) with checks of their coordinates. Positions are `[lon, lat]`, height optional. */
const geometries: Record<string, (coordinates: unknown) => boolean> = {
  Point: isPosition,
  MultiPoint: isListOf(isPosition, 1),
  Polygon: isPolygon,
  LineString: isLine,
  MultiLineString: isListOf(isLine, 1),
  MultiPolygon: isListOf(isPolygon, 1),
};

/** A number, or a list of coordinates: positions, lines, rings. */
const coordinate = z.unknown().meta({
  type: ["number", "array"],
  items: { type: ["number", "array"], items: { type: "number" } },
});

/** A geometry is stored or dropped as a whole: half a polygon is useless. */
const geometry: Field<Geometry> = {
  shape: z.object({ type: z.enum(["Point", "MultiPoint", "Polygon"]), coordinates: z.array(coordinate) }),
  answer: z.object({ type: z.string(), coordinates: z.array(coordinate) }),
  place: valuePlace,
  read(input, path, check) {
    if (!isObject(input)) {
      report(check, path, messages.notObject);
      return undefined;
    }
    for (const key of Object.keys(input)) {
      if (key !== "type" && key !== "coordinates") report(check, `${path}.${key}`, messages.unknown);
    }
    const { type, coordinates } = input;
    if (typeof type !== "string" || !Object.hasOwn(geometries, type)) {
      report(check, `${path}.type`, "Invalid value. Choose one of ['MultiPoint', 'Point', 'Polygon'].");
      return undefined;
    }
    if (!geometries[type]?.(coordinates)) {
      report(check, `${path}.coordinates`, `Invalid coordinates of a ${type}.`);
      return undefined;
    }
    return { type, coordinates: coordinates as unknown[] };
  },
  expand: (value) => value,
};

const feature = object(
  {
    geometry,
    place: text(),
    description: text(),
    identifiers: identifiersOf(placeSchemes, onePerScheme),
  },
  {
    rule: ({ geometry: shape, place, description, identifiers }, path, check) => {
      if (shape || place || description || identifiers?.length) return;
      report(check, path, "At least one of ['geometry', 'place', 'identifiers', 'description'] should be present.");
    },
  },
);

/** `metadata.locations`. */
export const locations = searched(object({ features: list(feature) }), {
  "metadata.locations.features.place": { kind: "text", bareWords: { weight: 1, column: 19 } },
  "metadata.locations.features.description": { kind: "text", bareWords: { weight: 1, column: 20 } },
});
