import { isObject } from "../kernel/json.ts";

/** One drawn shape: longitudes and latitudes in turn. Rings of a polygon are shapes of their own. */
export interface Shape {
  kind: "point" | "line" | "ring";
  positions: number[];
}

export interface MapFeature {
  shapes: Shape[];
  /** Names and values in words. */
  properties: [name: string, value: string][];
}

export interface GeoMap {
  features: MapFeature[];
  /** West, south, east, north. */
  bounds: [number, number, number, number];
  /** Features of the file, also those that are not drawn. */
  count: number;
  /** Features whose geometry is not valid. */
  invalid: number;
  /** Whether all valid features are drawn. */
  isWhole: boolean;
}

/** More of them block the page. */
const maxFeatures = 20_000;
const maxPositions = 200_000;
const maxProperties = 50;
const maxValueLength = 500;
const maxCollectionDepth = 8;

type Json = Record<string, unknown>;

class NotAGeometry extends Error {}

function position(value: unknown): [number, number] {
  if (!Array.isArray(value)) throw new NotAGeometry();
  const [longitude, latitude] = value as unknown[];
  if (typeof longitude !== "number" || typeof latitude !== "number") throw new NotAGeometry();
  if (Math.abs(longitude) > 540 || Math.abs(latitude) > 90) throw new NotAGeometry();
  return [longitude, latitude];
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new NotAGeometry();
  return value;
}

const line = (kind: Shape["kind"], value: unknown, least: number): Shape => {
  const positions = list(value);
  if (positions.length < least) throw new NotAGeometry();
  const numbers: number[] = [];
  for (const one of positions) numbers.push(...position(one));
  return { kind, positions: numbers };
};
const point = (value: unknown): Shape => ({ kind: "point", positions: position(value) });
const rings = (value: unknown): Shape[] => list(value).map((one) => line("ring", one, 4));

const readers: Record<string, (coordinates: unknown) => Shape[]> = {
  Point: (value) => [point(value)],
  MultiPoint: (value) => list(value).map(point),
  LineString: (value) => [line("line", value, 2)],
  MultiLineString: (value) => list(value).map((one) => line("line", one, 2)),
  Polygon: rings,
  MultiPolygon: (value) => list(value).flatMap(rings),
};

function shapesOf(geometry: unknown, depth = 0): Shape[] {
  if (geometry === null) return [];
  if (!isObject(geometry) || depth > maxCollectionDepth) throw new NotAGeometry();
  if (geometry.type === "GeometryCollection")
    return list(geometry.geometries).flatMap((one) => shapesOf(one, depth + 1));
  const read =
    typeof geometry.type === "string" && Object.hasOwn(readers, geometry.type) ? readers[geometry.type] : undefined;
  if (!read) throw new NotAGeometry();
  return read(geometry.coordinates);
}

const words = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, maxValueLength);

function featuresOf(value: Json): { geometry: unknown; properties: Json }[] | undefined {
  if (value.type === "FeatureCollection") {
    if (!Array.isArray(value.features)) return undefined;
    return value.features.map((one) => {
      const feature = isObject(one) && one.type === "Feature" ? one : {};
      return { geometry: feature.geometry, properties: isObject(feature.properties) ? feature.properties : {} };
    });
  }
  if (value.type === "Feature")
    return [{ geometry: value.geometry, properties: isObject(value.properties) ? value.properties : {} }];
  if (value.type === "GeometryCollection" || (typeof value.type === "string" && Object.hasOwn(readers, value.type)))
    return [{ geometry: value, properties: {} }];
  return undefined;
}

/** Reads GeoJSON (RFC 7946) for a map. Undefined: the text is none. */
export function parseGeoJson(text: string): GeoMap | undefined {
  try {
    return readGeoJson(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** As `parseGeoJson`, of parsed JSON. */
export function readGeoJson(value: unknown): GeoMap | undefined {
  const found = isObject(value) ? featuresOf(value) : undefined;
  if (!found) return undefined;
  const map: GeoMap = { features: [], bounds: [180, 90, -180, -90], count: found.length, invalid: 0, isWhole: true };
  let left = maxPositions;
  for (const { geometry, properties } of found) {
    let shapes: Shape[];
    try {
      shapes = shapesOf(geometry);
    } catch (error) {
      if (!(error instanceof NotAGeometry)) throw error;
      map.invalid += 1;
      continue;
    }
    left -= shapes.reduce((sum, { positions }) => sum + positions.length / 2, 0);
    if (left < 0 || map.features.length === maxFeatures) {
      map.isWhole = false;
      break;
    }
    for (const { positions } of shapes) widen(map.bounds, positions);
    const facts = Object.entries(properties).slice(0, maxProperties);
    map.features.push({ shapes, properties: facts.map(([name, one]) => [name, words(one)]) });
  }
  return map;
}

function widen(bounds: GeoMap["bounds"], positions: readonly number[]): void {
  for (let at = 0; at < positions.length; at += 2) {
    const [longitude = 0, latitude = 0] = [positions[at], positions[at + 1]];
    bounds[0] = Math.min(bounds[0], longitude);
    bounds[1] = Math.min(bounds[1], latitude);
    bounds[2] = Math.max(bounds[2], longitude);
    bounds[3] = Math.max(bounds[3], latitude);
  }
}
