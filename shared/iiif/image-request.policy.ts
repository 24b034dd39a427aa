import { Failure } from "../kernel/failure.ts";
import type { ImageSize, PictureOrder, PictureRegion } from "../pictures/picture-order.policy.ts";

/** The last four parts of an address of the Image API, decoded. */
export interface ImageRequest {
  region: string;
  size: string;
  rotation: string;
  /** `default.jpg` */
  file: string;
}

/** No side of an answer is longer. */
export const longestSide = 4096;

const refused = (part: string, text: string, wanted: string): Failure =>
  new Failure("invalid", `Invalid ${part} '${text}': ${wanted}.`);

const number = String.raw`(\d+(?:\.\d+)?)`;
const pixels = /^(\d+),(\d+),(\d+),(\d+)$/;
const percents = new RegExp(`^pct:${number},${number},${number},${number}$`);
const four = (found: RegExpExecArray): [number, number, number, number] =>
  found.slice(1).map(Number) as [number, number, number, number];

function partOf(text: string, { width, height }: ImageSize): PictureRegion {
  if (text === "full") return { left: 0, top: 0, width, height };
  if (text === "square") {
    const side = Math.min(width, height);
    return { left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 2), width: side, height: side };
  }
  const [byPixel, byPercent] = [pixels.exec(text), percents.exec(text)];
  if (!byPixel && !byPercent) throw refused("region", text, "full, square, x,y,w,h or pct:x,y,w,h");
  const [x, y, w, h] = four((byPixel ?? byPercent) as RegExpExecArray);
  const scale = byPercent ? [width / 100, height / 100] : [1, 1];
  const [across, down] = scale as [number, number];
  const [left, top] = [Math.round(x * across), Math.round(y * down)];
  // A region may reach beyond the picture, and is cut there.
  const right = Math.min(Math.round((x + w) * across), width);
  const bottom = Math.min(Math.round((y + h) * down), height);
  if (right <= left || bottom <= top) throw refused("region", text, "it has no pixel of the picture");
  return { left, top, width: right - left, height: bottom - top };
}

const atLeastOne = (length: number): number => Math.max(1, Math.round(length));

/** The factors of width and height. */
function factorsOf(text: string, { width, height }: ImageSize): [number, number] {
  const largest = longestSide / Math.max(width, height);
  if (text === "max" || text === "full") return [Math.min(1, largest), Math.min(1, largest)];
  if (text === "^max") return [largest, largest];
  const percent = new RegExp(`^\\^?pct:${number}$`).exec(text)?.[1];
  if (percent) return [Number(percent) / 100, Number(percent) / 100];
  const [, within, w = "", h = ""] = /^\^?(!?)(\d*),(\d*)$/.exec(text) ?? [];
  const isKnown = within === "!" ? w !== "" && h !== "" : w !== "" || h !== "";
  if (!isKnown) throw refused("size", text, "max, w, or ,h or w,h or !w,h or pct:n, with ^ to enlarge");
  const [across, down] = [Number(w) / width, Number(h) / height];
  if (within === "!") {
    const least = Math.min(across, down, text.startsWith("^") ? Number.POSITIVE_INFINITY : 1);
    return [least, least];
  }
  if (h === "") return [across, across];
  return w === "" ? [down, down] : [across, down];
}

function sizeOf(text: string, part: ImageSize): ImageSize {
  const [across, down] = factorsOf(text, part);
  if (!(across > 0 && down > 0)) throw refused("size", text, "no side can be 0");
  if ((across > 1 || down > 1) && !text.startsWith("^")) throw refused("size", text, "only ^ enlarges");
  const size = { width: atLeastOne(part.width * across), height: atLeastOne(part.height * down) };
  if (Math.max(size.width, size.height) > longestSide)
    throw refused("size", text, `no side can be longer than ${longestSide} pixels`);
  return size;
}

/**
 * Reads an address of the Image API 3 or 2 for a picture of this size. `full` as size is version 2.
 * @throws Failure 400 for a value that is wrong or that level 1 does not know.
 */
export function readImageRequest({ region, size, rotation, file }: ImageRequest, whole: ImageSize): PictureOrder {
  const part = partOf(region, whole);
  const drawn = sizeOf(size, part);
  if (rotation !== "0") throw refused("rotation", rotation, "only 0 is offered");
  const format = /^(?:default|color)\.(jpg|png)$/.exec(file)?.[1] as PictureOrder["format"] | undefined;
  if (!format) throw refused("quality or format", file, "default.jpg or default.png");
  const isWhole = part.width === whole.width && part.height === whole.height;
  return { ...(isWhole ? {} : { region: part }), ...drawn, format };
}
