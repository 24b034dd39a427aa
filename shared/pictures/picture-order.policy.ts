/** In pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** A part of a picture, in its own pixels. */
export interface PictureRegion extends ImageSize {
  left: number;
  top: number;
}

/** What to make of a picture: the region that is shown, the size of the result in pixels, and its format. */
export interface PictureOrder extends ImageSize {
  /** The whole picture when absent. */
  region?: PictureRegion;
  format: "jpg" | "png";
}

/** A picture with more pixels is not opened: a small file can unpack to gigabytes. */
export const maxPixels = 100_000_000;

/** A short text for each order; part of names of files and ETags. */
export function nameOfOrder({ region, width, height, format }: PictureOrder): string {
  const part = region ? `${region.left}.${region.top}.${region.width}.${region.height}-` : "";
  return `${part}${width}x${height}.${format}`;
}
