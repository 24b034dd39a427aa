import type { GeoMap } from "./geojson.ts";

/** How longitudes and latitudes become pixels: both are linear, longitudes shortened as in the middle of the map. */
export interface MapFrame {
  width: number;
  height: number;
  x: (longitude: number) => number;
  y: (latitude: number) => number;
  /** Degrees that a margin around the shapes leaves: west, south, east, north. */
  bounds: GeoMap["bounds"];
  metresPerPixel: number;
}

const margin = 28;
const metresPerDegree = 111_320;

export function mapFrame([west, south, east, north]: GeoMap["bounds"], width: number, height: number): MapFrame {
  const isEmpty = west > east;
  const [middleX, middleY] = isEmpty ? [0, 0] : [(west + east) / 2, (south + north) / 2];
  const shrink = Math.max(0.05, Math.cos((middleY * Math.PI) / 180));
  const spanX = isEmpty ? 360 : Math.max(east - west, 0.01) * shrink;
  const spanY = isEmpty ? 180 : Math.max(north - south, 0.01);
  const scale = Math.min((width - 2 * margin) / spanX, (height - 2 * margin) / spanY);
  const x = (longitude: number) => width / 2 + (longitude - middleX) * shrink * scale;
  const y = (latitude: number) => height / 2 - (latitude - middleY) * scale;
  const [halfX, halfY] = [width / 2 / scale / shrink, height / 2 / scale];
  return {
    ...{ width, height, x, y },
    bounds: [middleX - halfX, middleY - halfY, middleX + halfX, middleY + halfY],
    metresPerPixel: metresPerDegree / scale,
  };
}

/** A round number of at most `value`: 1, 2 or 5 times a power of ten. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1) * power;
}

/** The distance of the lines of a graticule, in degrees. */
export const graticuleStep = ([west, south, east, north]: GeoMap["bounds"]): number =>
  Math.max(0.0001, roundBelow(Math.max(east - west, north - south) / 4));

/** An angle in degrees, with the letter of its direction, as people of the language write numbers. */
export function degrees(value: number, [positive, negative]: [string, string], language: string): string {
  const number = Math.abs(value).toLocaleString(language, { maximumFractionDigits: 4 });
  return `${number}°${value > 0 ? positive : value < 0 ? negative : ""}`;
}
