import { Failure } from "../kernel/failure.ts";
import { PictureCache } from "./picture-cache.ts";
import { nameOfOrder, type PictureOrder } from "./picture-order.policy.ts";
import { PictureProcess } from "./picture-process.ts";

/** The bytes of a picture. */
export interface PictureSource {
  sha256: string;
  /** The file with the bytes. @throws Failure 503 when they are not on this computer. */
  file(): Promise<string>;
}

/** Draws pictures in other sizes, and keeps them. */
export interface Pictures {
  /**
   * @throws Failure 422 when the decoder refuses the file, 503 when too many pictures wait or the bytes are not here.
   */
  draw(source: PictureSource, order: PictureOrder): Promise<Uint8Array>;
  /** As `draw`, and nothing of it is kept. */
  drawOnce(file: string, order: PictureOrder): Promise<Uint8Array>;
  close(): void;
}

export interface PicturesOptions {
  /** Made with the first picture. */
  folder: string;
  maxBytes?: number;
  maxWaiting?: number;
  process?: Pick<PictureProcess, "draw" | "close">;
}

const defaultBytes = 256 * 1024 * 1024;
const defaultWaiting = 64;
const rememberedRefusals = 10_000;

const unreadable = (): Failure =>
  new Failure("unprocessable", "This picture cannot be drawn: it is damaged, too large, or not what its name says.");
const tooManyPictures = (): Failure =>
  new Failure("unavailable", "Too many pictures are being drawn. Try again.", { headers: { "Retry-After": "5" } });

class DiskPictures implements Pictures {
  readonly #cache: PictureCache;
  readonly #process: Pick<PictureProcess, "draw" | "close">;
  readonly #maxWaiting: number;
  /** Who asks for the same picture at the same time gets the same drawing. */
  readonly #underWay = new Map<string, Promise<Uint8Array>>();
  /** How many drawings of `drawOnce` are under way. */
  #drawnOnce = 0;
  /** Digests of files that the decoder refused: hostile files cost their time once. */
  readonly #refused = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor({ folder, maxBytes = defaultBytes, maxWaiting = defaultWaiting, process }: PicturesOptions) {
    this.#cache = new PictureCache(folder, maxBytes);
    this.#process = process ?? new PictureProcess();
    this.#maxWaiting = maxWaiting;
  }

  async draw(source: PictureSource, order: PictureOrder): Promise<Uint8Array> {
    const name = `${source.sha256}-${nameOfOrder(order)}`;
    const kept = await this.#cache.read(name);
    if (kept) return kept;
    if (this.#refused.has(source.sha256)) throw unreadable();
    const other = this.#underWay.get(name);
    if (other !== undefined) return other;
    this.#assertFew();
    const drawing = this.#drawNext(source, order, name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, drawing);
    return drawing;
  }

  async drawOnce(file: string, order: PictureOrder): Promise<Uint8Array> {
    this.#assertFew();
    this.#drawnOnce += 1;
    try {
      return await this.#queueDrawing(async () => file, order);
    } catch {
      throw unreadable();
    } finally {
      this.#drawnOnce -= 1;
    }
  }

  /** @throws Failure 503. */
  #assertFew(): void {
    if (this.#underWay.size + this.#drawnOnce >= this.#maxWaiting) throw tooManyPictures();
  }

  async #drawNext(source: PictureSource, order: PictureOrder, name: string): Promise<Uint8Array> {
    try {
      const bytes = await this.#queueDrawing(() => source.file(), order);
      await this.#cache.write(name, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof Failure) throw error;
      if (this.#refused.size >= rememberedRefusals) this.#refused.clear();
      this.#refused.add(source.sha256);
      throw unreadable();
    }
  }

  /** Draws the picture after all earlier ones are done. */
  #queueDrawing(file: () => Promise<string>, order: PictureOrder): Promise<Uint8Array> {
    const drawing = this.#last.then(async () => this.#process.draw({ file: await file(), order }));
    this.#last = drawing.catch(() => undefined);
    return drawing;
  }

  readonly close = (): void => this.#process.close();
}

/** @param options folder of the drawn pictures, and limits for tests. */
export const diskPictures = (options: PicturesOptions): Pictures => new DiskPictures(options);
