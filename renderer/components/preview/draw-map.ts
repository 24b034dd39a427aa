import i18next from "i18next";
import type { GeoMap, MapFeature, Shape } from "../../../shared/previews/geojson.ts";
import { degrees, graticuleStep, type MapFrame, roundBelow } from "../../../shared/previews/map-frame.ts";
import { language } from "../../locales/language.ts";

/** Distance at which a press finds a feature. */
const reachPx = 8;

const colour = (style: CSSStyleDeclaration, name: string): string => style.getPropertyValue(name).trim();

/** Resolves `light-dark()` as the element would. */
function colours(canvas: HTMLCanvasElement): Record<"grid" | "words" | "shape" | "chosen" | "ground", string> {
  const probe = document.createElement("span");
  canvas.after(probe);
  const resolved = (name: string): string => {
    probe.style.color = `var(${name})`;
    return colour(getComputedStyle(probe), "color");
  };
  const found = {
    grid: resolved("--border"),
    words: resolved("--text-3"),
    shape: resolved("--accent"),
    chosen: resolved("--warn"),
    ground: resolved("--bg"),
  };
  probe.remove();
  return found;
}

/** Draws graticule, scale and features, the chosen one last. */
export function drawMap(canvas: HTMLCanvasElement, map: GeoMap, frame: MapFrame, chosen: number): void {
  const pixels = window.devicePixelRatio || 1;
  canvas.width = frame.width * pixels;
  canvas.height = frame.height * pixels;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const look = colours(canvas);
  pen.scale(pixels, pixels);
  pen.font = "11px sans-serif";
  drawGraticule(pen, frame, look.grid, look.words);
  map.features.forEach((feature, index) => {
    if (index !== chosen) drawFeature(pen, frame, feature, look.shape, 1);
  });
  const marked = map.features[chosen];
  if (marked) drawFeature(pen, frame, marked, look.chosen, 2.5);
  drawScale(pen, frame, look.words);
}

function drawGraticule(pen: CanvasRenderingContext2D, frame: MapFrame, grid: string, words: string): void {
  const { t } = i18next;
  const [west, south, east, north] = frame.bounds;
  const step = graticuleStep(frame.bounds);
  pen.strokeStyle = grid;
  pen.fillStyle = words;
  pen.lineWidth = 1;
  for (let at = Math.ceil(west / step) * step; at <= east; at += step) {
    segment(pen, [frame.x(at), 0, frame.x(at), frame.height]);
    pen.fillText(degrees(at, [t("preview.east"), t("preview.west")], language()), frame.x(at) + 3, 12);
  }
  for (let at = Math.ceil(Math.max(south, -90) / step) * step; at <= Math.min(north, 90); at += step) {
    segment(pen, [0, frame.y(at), frame.width, frame.y(at)]);
    pen.fillText(degrees(at, [t("preview.north"), t("preview.south")], language()), 3, frame.y(at) - 3);
  }
}

function segment(pen: CanvasRenderingContext2D, [x1, y1, x2, y2]: [number, number, number, number]): void {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

function drawScale(pen: CanvasRenderingContext2D, frame: MapFrame, words: string): void {
  const metres = roundBelow(frame.metresPerPixel * 120);
  const length = metres / frame.metresPerPixel;
  const [right, bottom] = [frame.width - 14, frame.height - 14];
  pen.strokeStyle = words;
  pen.fillStyle = words;
  pen.lineWidth = 2;
  segment(pen, [right - length, bottom, right, bottom]);
  pen.fillText(metres >= 1000 ? `${metres / 1000} km` : `${metres} m`, right - length, bottom - 5);
}

function trace(pen: CanvasRenderingContext2D, frame: MapFrame, { positions }: Shape): void {
  for (let at = 0; at < positions.length; at += 2) {
    const [x, y] = [frame.x(positions[at] ?? 0), frame.y(positions[at + 1] ?? 0)];
    if (at === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  }
}

function drawFeature(
  pen: CanvasRenderingContext2D,
  frame: MapFrame,
  { shapes }: MapFeature,
  line: string,
  width: number,
): void {
  pen.strokeStyle = line;
  pen.fillStyle = line;
  pen.lineWidth = width + 0.5;
  const rings = shapes.filter(({ kind }) => kind === "ring");
  if (rings.length > 0) {
    pen.beginPath();
    for (const ring of rings) trace(pen, frame, ring);
    pen.globalAlpha = 0.18;
    pen.fill("evenodd");
    pen.globalAlpha = 1;
    pen.stroke();
  }
  for (const shape of shapes) {
    if (shape.kind === "ring") continue;
    pen.beginPath();
    if (shape.kind === "line") {
      trace(pen, frame, shape);
      pen.stroke();
    } else {
      pen.arc(frame.x(shape.positions[0] ?? 0), frame.y(shape.positions[1] ?? 0), 2.5 + width, 0, 2 * Math.PI);
      pen.fill();
    }
  }
}

/** Distance of a point to a segment. */
function distance(px: number, py: number, [x1, y1, x2, y2]: [number, number, number, number]): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along =
    dx === 0 && dy === 0 ? 0 : Math.max(0, Math.min(1, ((px - x1) * dx + (py - y1) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(px - x1 - along * dx, py - y1 - along * dy);
}

/** Whether a shape is near the point, or how often its ring is crossed on the way out. */
function meets(frame: MapFrame, { positions }: Shape, px: number, py: number): { near: number; crossings: number } {
  let near = Number.POSITIVE_INFINITY;
  let crossings = 0;
  for (let at = 0; at < positions.length; at += 2) {
    const next = at + 2 < positions.length ? at + 2 : at;
    const [x1, y1] = [frame.x(positions[at] ?? 0), frame.y(positions[at + 1] ?? 0)];
    const [x2, y2] = [frame.x(positions[next] ?? 0), frame.y(positions[next + 1] ?? 0)];
    near = Math.min(near, distance(px, py, [x1, y1, x2, y2]));
    if (y1 > py !== y2 > py && px < ((x2 - x1) * (py - y1)) / (y2 - y1) + x1) crossings += 1;
  }
  return { near, crossings };
}

/** The number of the feature at a point of the map, nearest first; -1: none. */
export function featureAt(map: GeoMap, frame: MapFrame, px: number, py: number): number {
  let best = -1;
  let nearest = reachPx;
  map.features.forEach(({ shapes }, index) => {
    let crossings = 0;
    for (const shape of shapes) {
      const met = meets(frame, shape, px, py);
      if (shape.kind === "ring") crossings += met.crossings;
      if (met.near < nearest) {
        nearest = met.near;
        best = index;
      }
    }
    if (crossings % 2 === 1 && best < 0) best = index;
  });
  return best;
}
