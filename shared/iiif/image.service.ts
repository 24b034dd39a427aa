import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden, notFound } from "../kernel/failure.ts";
import { maxPixels, nameOfOrder, type PictureOrder } from "../pictures/picture-order.policy.ts";
import type { Pictures } from "../pictures/pictures.ts";
import { type IiifSourceParts, iiifSources, readSubject } from "./iiif-source.service.ts";
import type { ImageInfo } from "./image-info.presenter.ts";
import { type ImageRequest, readImageRequest } from "./image-request.policy.ts";
import { imageAddress, isDrawn } from "./thumbnails.presenter.ts";

/** A picture in the wanted size. */
export interface DrawnImage {
  etag: string;
  format: PictureOrder["format"];
  /** Draws it, and checks again that the caller may see it. */
  bytes(): Promise<Uint8Array>;
}

/** The IIIF Image API. A name is `record:<id>:<key>` or `draft:<id>:<key>`. */
export interface ImageService {
  /**
   * Size and address of a picture.
   * @throws Failure 400 malformed, 404, 403, 410; 503 when a replica does not hold the bytes.
   */
  readInfo(caller: Caller, name: string): Promise<ImageInfo>;
  /** @throws Failure as `readInfo`; 400 for a wrong request; 422 if the picture cannot be drawn. */
  draw(caller: Caller, name: string, request: ImageRequest): Promise<DrawnImage>;
}

/** Parses the name of a picture; undefined for anything else. */
export function readImageName(name: string): { about: "record" | "draft"; id: string; key: string } | undefined {
  const [, subject = "", key = ""] = /^([^:]+:[^:]+):(.+)$/s.exec(name) ?? [];
  const found = readSubject(subject);
  return found && { ...found, key };
}

export function imageService({ pictures, ...parts }: IiifSourceParts & { pictures: Pictures }): ImageService {
  const { host } = parts;
  const { find, measure } = iiifSources(parts);

  async function pictureOf(caller: Caller, name: string) {
    const named = readImageName(name);
    if (!named) throw new Failure("invalid", `Invalid identifier '${name}'.`);
    const { about, id, key } = named;
    const source = await find(caller, `${about}:${id}`);
    if (!source.entries) throw forbidden();
    const entry = source.entries.find((candidate) => candidate.key === key);
    const sha256 = entry?.status === "completed" && isDrawn(key) ? entry.sha256 : null;
    const size = sha256 === null ? undefined : await measure(sha256);
    if (sha256 === null || !size) throw notFound(`Record '${id}' has no picture '${key}'.`);
    return { id: imageAddress(host.baseUrl, source, key), sha256, size };
  }

  return {
    async readInfo(caller, name) {
      const { id, size } = await pictureOf(caller, name);
      return { id, ...size };
    },

    async draw(caller, name, request) {
      const { sha256, size } = await pictureOf(caller, name);
      const order = readImageRequest(request, size);
      if (size.width * size.height > maxPixels)
        throw new Failure("unprocessable", `The picture has more than ${maxPixels} pixels.`);
      return {
        etag: `"${sha256.slice(0, 32)}-${nameOfOrder(order)}"`,
        format: order.format,
        async bytes() {
          const bytes = await pictures.draw({ sha256, file: () => host.blobs.fileOf(sha256) }, order);
          // The caller may have lost the right while the picture waited for its turn.
          await pictureOf(caller, name);
          return bytes;
        },
      };
    },
  };
}
