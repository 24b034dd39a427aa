import type { FileEntryRow } from "../database/schema.ts";
import { filesPath } from "../files/file.presenter.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden, notFound } from "../kernel/failure.ts";
import type { ImageSize } from "../pictures/picture-order.policy.ts";
import type { IiifImage, IiifSubject } from "./iiif.presenter.ts";
import { type IiifSource, type IiifSourceParts, iiifSources } from "./iiif-source.service.ts";
import { imageAddress, isDrawn } from "./thumbnails.presenter.ts";

export interface IiifService {
  /**
   * Reads the images for a manifest or sequence: those whose files the caller may read.
   * @param subject `record:<id>` or `draft:<id>`.
   * @throws Failure 400 malformed, 404, 403, 410.
   */
  read(caller: Caller, subject: string): Promise<{ about: IiifSubject; images: IiifImage[] }>;
  /** One image. @throws Failure as `read`; 403 if the files are not readable; 404 if the file is no such image. */
  readImage(caller: Caller, subject: string, key: string): Promise<{ about: IiifSubject; image: IiifImage }>;
}

const imageNames = /\.(?:gif|jp2|jpe?g|png|tiff?)$/i;
/** Smaller images get no canvas (records 12). */
const smallestSide = 256;

/** Reads records and drafts for IIIF. */
export function iiifService(parts: IiifSourceParts): IiifService {
  const { host } = parts;
  const { find, measure } = iiifSources(parts);

  /** On a replica without the bytes, the size is unknown. */
  async function sizeOf(sha256: string): Promise<ImageSize | undefined> {
    try {
      return await measure(sha256);
    } catch (error) {
      if (error instanceof Failure && error.kind === "unavailable") return undefined;
      throw error;
    }
  }

  async function imageOf(source: IiifSource, entry: FileEntryRow): Promise<IiifImage | undefined> {
    if (entry.status !== "completed" || entry.sha256 === null || !imageNames.test(entry.key)) return undefined;
    const size = await sizeOf(entry.sha256);
    if (!size || size.width <= smallestSide || size.height <= smallestSide) return undefined;
    const url = `${host.baseUrl}${filesPath(source)}/${encodeURIComponent(entry.key)}/content`;
    const service = isDrawn(entry.key) ? { service: imageAddress(host.baseUrl, source, entry.key) } : {};
    return { key: entry.key, mimetype: entry.mimetype ?? "application/octet-stream", ...size, url, ...service };
  }

  return {
    async read(caller, subject) {
      const source = await find(caller, subject);
      const images: IiifImage[] = [];
      for (const entry of source.entries ?? []) {
        const image = await imageOf(source, entry);
        if (image) images.push(image);
      }
      return { about: source.about, images };
    },

    async readImage(caller, subject, key) {
      const source = await find(caller, subject);
      if (!source.entries) throw forbidden();
      const entry = source.entries.find((candidate) => candidate.key === key);
      const image = entry && (await imageOf(source, entry));
      if (!image) throw notFound(`Record '${source.id}' has no file '${key}'.`);
      return { about: source.about, image };
    },
  };
}
