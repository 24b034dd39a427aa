import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PictureOrder } from "../../shared/pictures/picture-order.policy.ts";
import { PictureProcess } from "../../shared/pictures/picture-process.ts";
import { diskPictures } from "../../shared/pictures/pictures.ts";
import { picture, shapeOf } from "../support/pictures.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-pictures-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const order = (width: number): PictureOrder => ({ width, height: width, format: "png" });
const sourceOf = (sha256: string) => ({ sha256, file: async () => `/${sha256}` });

/** A worker whose tasks end when the test says so. */
function steered(folderName: string, options: { maxBytes?: number; maxWaiting?: number } = {}) {
  const tasks: { file: string; done(bytes: Uint8Array): void; fail(error: Error): void }[] = [];
  const process = {
    draw: ({ file }: { file: string }) =>
      new Promise<Uint8Array>((done, fail) => {
        tasks.push({ file, done, fail });
      }),
    close: () => {},
  };
  return { tasks, pictures: diskPictures({ folder: join(folder, folderName), process, ...options }) };
}

const bytes = (length: number) => new Uint8Array(length);

describe("drawn pictures (interoperability 11)", () => {
  test("one is drawn at a time, equal orders once, and the next call finds it on disk", async () => {
    const { tasks, pictures } = steered("one");
    const drawn = [pictures.draw(sourceOf("a"), order(9)), pictures.draw(sourceOf("a"), order(9))];
    await expect.poll(() => tasks.length).toBe(1);
    const other = pictures.draw(sourceOf("b"), order(9));
    tasks[0]?.done(bytes(3));
    expect((await Promise.all(drawn)).map(({ length }) => length)).toEqual([3, 3]);
    await expect.poll(() => tasks.map(({ file }) => file)).toEqual(["/a", "/b"]);
    tasks[1]?.done(bytes(4));
    expect((await other).length).toBe(4);
    expect((await pictures.draw(sourceOf("a"), order(9))).length).toBe(3);
    expect(tasks.length).toBe(2);
  });

  test("what the decoder refused is not tried again; what is not here is", async () => {
    const { tasks, pictures } = steered("refused");
    const first = pictures.draw(sourceOf("a"), order(9)).catch((error) => error.kind);
    await expect.poll(() => tasks.length).toBe(1);
    tasks[0]?.fail(new Error("not a picture"));
    expect(await first).toBe("unprocessable");
    expect(await pictures.draw(sourceOf("a"), order(8)).catch((error) => error.kind)).toBe("unprocessable");
    expect(tasks.length).toBe(1);
  });

  test("too many that wait are refused with 503", async () => {
    const { tasks, pictures } = steered("busy", { maxWaiting: 2 });
    const two = [1, 2].map((width) => pictures.draw(sourceOf("a"), order(width)));
    await expect.poll(() => tasks.length).toBe(1);
    expect(await pictures.draw(sourceOf("a"), order(3)).catch((error) => error.status)).toBe(503);
    tasks[0]?.done(bytes(1));
    await expect.poll(() => tasks.length).toBe(2);
    tasks[1]?.done(bytes(1));
    expect((await Promise.all(two)).length).toBe(2);
  });

  test("pictures that are not kept count among them (issue 15)", async () => {
    const { tasks, pictures } = steered("once", { maxWaiting: 2 });
    const two = [1, 2].map((width) => pictures.drawOnce("/a", order(width)));
    await expect.poll(() => tasks.length).toBe(1);
    expect(await pictures.drawOnce("/a", order(3)).catch((error) => error.status)).toBe(503);
    expect(await pictures.draw(sourceOf("a"), order(3)).catch((error) => error.status)).toBe(503);
    tasks[0]?.done(bytes(1));
    await expect.poll(() => tasks.length).toBe(2);
    tasks[1]?.fail(new Error("not a picture"));
    expect((await Promise.allSettled(two)).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    const last = pictures.drawOnce("/a", order(3));
    await expect.poll(() => tasks.length).toBe(3);
    tasks[2]?.done(bytes(1));
    expect((await last).length).toBe(1);
  });

  test("the folder stays below its limit", async () => {
    const { tasks, pictures } = steered("bounded", { maxBytes: 1000 });
    for (let at = 0; at < 20; at++) {
      const drawn = pictures.draw(sourceOf("a"), order(at + 1));
      await expect.poll(() => tasks.length).toBe(at + 1);
      tasks[at]?.done(bytes(100));
      await drawn;
      expect((await readdir(join(folder, "bounded"))).length).toBeLessThanOrEqual(10);
    }
  });
});

describe("the worker that draws (interoperability 11)", () => {
  const worker = new PictureProcess();
  afterAll(() => worker.close());

  test("draws, refuses what is no picture, and draws again", async () => {
    const [good, bad] = [join(folder, "good.jpg"), join(folder, "bad.jpg")];
    await writeFile(good, await picture(400, 300, "jpeg"));
    await writeFile(bad, '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const task = { order: { width: 40, height: 30, format: "jpg" as const } };
    expect(await shapeOf(await worker.draw({ file: good, ...task }))).toEqual([40, 30, "jpeg"]);
    await expect(worker.draw({ file: bad, ...task })).rejects.toThrow(/unsupported image format/);
    expect(await shapeOf(await worker.draw({ file: good, ...task }))).toEqual([40, 30, "jpeg"]);
  });

  test("a worker that ends in the middle fails its picture alone", async () => {
    const file = join(folder, "good.jpg");
    const order = { width: 4000, height: 4000, format: "png" as const };
    const ended = worker.draw({ file, order });
    worker.close();
    await expect(ended).rejects.toThrow("ends");
    expect(await shapeOf(await worker.draw({ file, order: { ...order, width: 9, height: 9 } }))).toEqual([9, 9, "png"]);
  });
});
