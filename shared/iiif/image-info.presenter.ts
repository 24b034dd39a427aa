import type { ImageSize } from "../pictures/picture-order.policy.ts";
import { longestSide } from "./image-request.policy.ts";
import { thumbnailWidths } from "./thumbnails.presenter.ts";

export interface ImageInfo extends ImageSize {
  /** Address of the image without the last four parts. */
  id: string;
}

export const mediaTypes = { jpg: "image/jpeg", png: "image/png" };
/** The types of pictures in the Image API. */
export const drawnTypes: readonly string[] = Object.values(mediaTypes);

const protocol = "http://iiif.io/api/image";
export const imageContext2 = `${protocol}/2/context.json`;
export const imageContext3 = `${protocol}/3/context.json`;

/** The sizes that are likely to be kept. */
const sizesOf = ({ width, height }: ImageSize): ImageSize[] =>
  thumbnailWidths
    .filter((one) => one < width)
    .map((one) => ({ width: one, height: Math.max(1, Math.round((one * height) / width)) }));

/** What level 1 of version 2 leaves open and is offered. */
const extras2 = ["regionByPct", "regionSquare", "sizeByConfinedWh", "sizeByDistortedWh", "sizeByWh"];
const extras3 = ["regionByPct", "sizeByConfinedWh", "sizeByPct", "sizeUpscaling"];

/** `info.json` of version 2, level 1. */
export const presentInfo2 = ({ id, width, height }: ImageInfo) => ({
  "@context": imageContext2,
  "@id": id,
  protocol,
  width,
  height,
  sizes: sizesOf({ width, height }),
  profile: [
    `${protocol}/2/level1.json`,
    {
      formats: ["jpg", "png"],
      qualities: ["default", "color"],
      supports: extras2,
      maxWidth: longestSide,
      maxHeight: longestSide,
    },
  ],
});

/** `info.json` of version 3, level 1. */
export const presentInfo3 = ({ id, width, height }: ImageInfo) => ({
  "@context": imageContext3,
  id,
  type: "ImageService3",
  protocol,
  profile: "level1",
  width,
  height,
  maxWidth: longestSide,
  maxHeight: longestSide,
  sizes: sizesOf({ width, height }),
  extraFormats: ["png"],
  extraQualities: ["color"],
  extraFeatures: extras3,
});

/** The image service of a canvas, for viewers of version 2. */
export const presentService2 = (id: string) => ({
  "@context": imageContext2,
  "@id": id,
  profile: `${protocol}/2/level1.json`,
});

/** The same for viewers of version 3. */
export const presentService3 = (id: string) => [{ id, type: "ImageService3", profile: "level1" }];
