import sharp from "sharp";
import { maxPixels, type PictureOrder } from "./picture-order.policy.ts";

/** A message to the worker. */
export interface PictureTask {
  file: string;
  order: PictureOrder;
}

/** A message from the worker: `ready` once, then the outcome of each task. */
export type PictureOutcome = "ready" | { bytes: Uint8Array } | { failed: string };

const maxSeconds = 10;
const jpegQuality = 82;

// One picture at a time, in one thread, without a cache: so an idle worker takes little memory.
sharp.concurrency(1);
sharp.cache(false);
// Only the decoders for the formats that `image-size` knows. Documents and vector graphics can name other files.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadTiff", "VipsForeignLoadNsgif"],
});

/**
 * Draws a picture in another size. The result has no metadata of the file, such as the place of a photograph.
 * @throws Error if the file is no such picture, is damaged, or has too many pixels.
 */
export async function drawPicture({ file, order }: PictureTask): Promise<Uint8Array> {
  const { region, width, height, format } = order;
  const options = { limitInputPixels: maxPixels, sequentialRead: true };
  const { format: kind } = await sharp(file, options).metadata();
  // `image-size` reads the orientation of these two.
  const autoOrient = kind === "jpeg" || kind === "tiff";
  const opened = sharp(file, { ...options, autoOrient });
  const part = region ? opened.extract(region) : opened;
  const drawn = part.resize(width, height, { fit: "fill" }).toColourspace("srgb").timeout({ seconds: maxSeconds });
  const written = format === "png" ? drawn.png() : drawn.flatten({ background: "#fff" }).jpeg({ quality: jpegQuality });
  return written.toBuffer();
}
