import type { PresentedRecord } from "./presented-record.ts";

type Position = readonly number[];

const pointOf = ([pointLongitude = 0, pointLatitude = 0]: Position) => ({ pointLongitude, pointLatitude });

/** The smallest box around positions. A box across the date line is not recognised: it gets the whole width. */
function boxOf(positions: readonly Position[]) {
  const longitudes = positions.map(([longitude = 0]) => longitude);
  const latitudes = positions.map(([, latitude = 0]) => latitude);
  return {
    westBoundLongitude: longitudes.reduce((a, b) => Math.min(a, b)),
    eastBoundLongitude: longitudes.reduce((a, b) => Math.max(a, b)),
    southBoundLatitude: latitudes.reduce((a, b) => Math.min(a, b)),
    northBoundLatitude: latitudes.reduce((a, b) => Math.max(a, b)),
  };
}

/** All positions of a geometry, whatever the depth of its lists. */
const positionsOf = (coordinates: unknown): Position[] => {
  if (!Array.isArray(coordinates) || coordinates.length === 0) return [];
  return typeof coordinates[0] === "number" ? [coordinates] : coordinates.flatMap(positionsOf);
};

/** The outer rings of a polygon or of several; DataCite knows no holes. */
function ringsOf(type: string, coordinates: readonly unknown[]): Position[][] {
  if (type === "Polygon") return [positionsOf(coordinates[0])];
  return type === "MultiPolygon" ? coordinates.map((polygon) => positionsOf((polygon as unknown[])[0])) : [];
}

interface Place {
  geoLocationPlace?: string;
  geoLocationPoint?: ReturnType<typeof pointOf>;
  geoLocationBox?: ReturnType<typeof boxOf>;
  geoLocationPolygon?: { polygonPoint: ReturnType<typeof pointOf> }[];
}

/** The parts of a place. A part has one polygon at most, so further ones are parts of their own. */
function shapesOf(type: string, coordinates: readonly unknown[]): Place[] {
  const positions = positionsOf(coordinates);
  const [first] = positions;
  if (first === undefined) return [];
  if (positions.length === 1) return [{ geoLocationPoint: pointOf(first) }];
  const [area, ...others] = ringsOf(type, coordinates).map((ring) => ({
    geoLocationPolygon: ring.map((position) => ({ polygonPoint: pointOf(position) })),
  }));
  return [{ geoLocationBox: boxOf(positions), ...area }, ...others];
}

/** Points, boxes and polygons by DataCite's schema 4.5. Lines and several points have their box alone. */
export const placesOf = ({ metadata }: PresentedRecord): Place[] =>
  (metadata.locations?.features ?? []).flatMap(({ geometry, place }) => {
    const [first, ...others] = geometry ? shapesOf(geometry.type, geometry.coordinates) : [];
    const named: Place = { ...(place ? { geoLocationPlace: place } : {}), ...first };
    return [...(Object.keys(named).length > 0 ? [named] : []), ...others];
  });

/** The box around everything that a geometry has; undefined without a position. */
export function boundsOf(coordinates: readonly unknown[]): ReturnType<typeof boxOf> | undefined {
  const positions = positionsOf(coordinates);
  return positions.length === 0 ? undefined : boxOf(positions);
}
