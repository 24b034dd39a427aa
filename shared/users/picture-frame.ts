import { createHash } from "node:crypto";
import type { Avatar } from "./avatar.presenter.ts";

/** Puts a picture into the same disc: the bytes are part of the SVG. @param jpeg a square */
export function framePicture(jpeg: Uint8Array): Avatar {
  const bytes = Buffer.from(jpeg);
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256" role="img">',
    '<clipPath id="disc"><circle cx="128" cy="128" r="128"/></clipPath>',
    '<image width="256" height="256" clip-path="url(#disc)" ',
    `href="data:image/jpeg;base64,${bytes.toString("base64")}"/></svg>`,
  ].join("");
  return { svg, etag: `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"` };
}

/** The bytes of a picture in its disc; undefined for a disc with a letter. */
export function pictureIn(svg: string): Uint8Array | undefined {
  const [, base64] = /href="data:image\/jpeg;base64,([\w+/=]+)"/.exec(svg) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, "base64");
}
