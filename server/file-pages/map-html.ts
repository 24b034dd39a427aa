import { type GeoMap, type MapFeature, readGeoJson, type Shape } from "../../shared/previews/geojson.ts";
import { degrees, graticuleStep, type MapFrame, mapFrame } from "../../shared/previews/map-frame.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import type { Words } from "../pages/words.ts";
import { tableHtml, tableRows } from "./table-html.ts";

const [width, height] = [960, 560];
/** A map of more places is drawn on a coarser grid, and at last in part: they would make the page large. */
const maxPlaces = 10_000;
const coarsest = 16;

interface Place {
  x: number;
  y: number;
}

/** Calls `take` for each place of a shape on a grid; once where several in a row are the same. */
function walk({ x, y }: MapFrame, { positions }: Shape, grid: number, take: (place: Place) => void): void {
  let [before, beneath] = [Number.NaN, Number.NaN];
  for (let at = 0; at < positions.length; at += 2) {
    const across = Math.round(x(positions[at] ?? 0) / grid) * grid;
    const down = Math.round(y(positions[at + 1] ?? 0) / grid) * grid;
    if (across === before && down === beneath) continue;
    [before, beneath] = [across, down];
    take({ x: across, y: down });
  }
}

/** The finest grid on which the map has few enough places. */
function gridOf({ features }: GeoMap, frame: MapFrame): number {
  for (let grid = 1; grid < coarsest; grid *= 2) {
    let places = 0;
    for (const { shapes } of features)
      for (const shape of shapes)
        walk(frame, shape, grid, () => {
          places += 1;
        });
    if (places <= maxPlaces) return grid;
  }
  return coarsest;
}

interface Drawing {
  areas: string[];
  lines: string[];
  /** Points, by their text, so that each stands once. */
  points: Map<string, Place>;
  isWhole: boolean;
}

function drawingOf(map: GeoMap, frame: MapFrame): Drawing {
  const drawing: Drawing = { areas: [], lines: [], points: new Map(), isWhole: map.isWhole };
  const grid = gridOf(map, frame);
  let places = 0;
  const pathOf = (shape: Shape): string => {
    const parts: string[] = [];
    walk(frame, shape, grid, ({ x, y }) => {
      places += 1;
      if (places <= 2 * maxPlaces) parts.push(`${x} ${y}`);
      else drawing.isWhole = false;
    });
    return `M${parts.join("L")}${shape.kind === "ring" ? "Z" : ""}`;
  };
  for (const { shapes } of map.features) {
    if (places + drawing.points.size > 2 * maxPlaces) return { ...drawing, isWhole: false };
    const area = shapes.filter(({ kind }) => kind === "ring").map(pathOf);
    if (area.length > 0) drawing.areas.push(area.join(""));
    for (const shape of shapes) {
      if (shape.kind === "line") drawing.lines.push(pathOf(shape));
      if (shape.kind === "point")
        walk(frame, shape, grid, (place) => drawing.points.set(`${place.x} ${place.y}`, place));
    }
  }
  return drawing;
}

const lineAt = (x1: number, y1: number, x2: number, y2: number): Html => html`<path d="M${x1} ${y1}L${x2} ${y2}"/>`;

function graticule({ language, preview: { directions } }: Words, { bounds, x, y }: MapFrame): Html {
  const [west, south, east, north] = bounds;
  const step = graticuleStep(bounds);
  const parts: Html[] = [];
  for (let at = Math.ceil(west / step) * step; at <= east; at += step) {
    const across = Math.round(x(at));
    parts.push(
      html`${lineAt(across, 0, across, height)}<text x="${across + 4}" y="14">${degrees(at, directions.across, language)}</text>`,
    );
  }
  for (let at = Math.ceil(Math.max(south, -90) / step) * step; at <= Math.min(north, 90); at += step) {
    const down = Math.round(y(at));
    parts.push(
      html`${lineAt(0, down, width, down)}<text x="4" y="${down - 4}">${degrees(at, directions.up, language)}</text>`,
    );
  }
  return html`<g class="grid">${parts}</g>`;
}

/** What the features say about themselves: a row each, a column for each name. */
function facts(words: Words, features: readonly MapFeature[]): Html {
  const rows = features.slice(0, tableRows);
  const head = [...new Set(rows.flatMap(({ properties }) => properties.map(([name]) => name)))];
  if (head.length === 0) return nothing;
  const body = rows.map(({ properties }) => {
    const values = new Map(properties);
    return head.map((name) => values.get(name) ?? "");
  });
  return tableHtml(words, { head, body, columns: head.length, isCut: features.length > rows.length });
}

/** GeoJSON as a drawing with the features' properties. Undefined: it is none. */
export function mapHtml(words: Words, value: unknown): Html | undefined {
  const map = readGeoJson(value);
  if (!map) return undefined;
  const { preview } = words;
  const frame = mapFrame(map.bounds, width, height);
  const { areas, lines, points, isWhole } = drawingOf(map, frame);
  // A dot is a line without length, so that its size on a phone is the same.
  const dots = [...points.values()].map(({ x, y }) => `M${x} ${y}h0`).join("");
  const [west, south, east, north] = map.bounds;
  const { across, up } = preview.directions;
  const at = (value: number, names: [string, string]): string => degrees(value, names, words.language);
  const ends = `${at(west, across)} – ${at(east, across)}, ${at(south, up)} – ${at(north, up)}`;
  const notes = [
    preview.features(map.count),
    ...(west > east ? [] : [ends]),
    ...(isWhole ? [] : [preview.notAllDrawn]),
    ...(map.invalid > 0 ? [preview.invalid(map.invalid)] : []),
  ];
  return html`<svg class="map" viewBox="0 0 ${width} ${height}" role="img" aria-label="${preview.map}: ${notes.join(". ")}">${graticule(
    words,
    frame,
  )}${areas.map((area) => html`<path class="area" d="${area}"/>`)}${
    lines.length > 0 ? html`<path class="line" d="${lines.join("")}"/>` : nothing
  }${points.size > 0 ? html`<path class="point" d="${dots}"/>` : nothing}</svg><p class="meta">${notes.map((one) => html`<span>${one}</span>`)}</p>${facts(words, map.features)}`;
}
