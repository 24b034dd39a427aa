import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRendererStale } from "../../main/dev-build.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "carrel-copy-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, at: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), "x");
  await utimes(join(root, path), new Date(at), new Date(at));
}

test("pages that were never built are stale", async () => {
  await write("renderer/main.tsx", "2026-01-01");
  expect(await isRendererStale(root)).toBe(true);
});

test("pages are stale when a source, a schema or the lockfile is newer, however deep", async () => {
  await write("renderer/main.tsx", "2026-01-01");
  await write("out/renderer/index.html", "2026-01-02");
  expect(await isRendererStale(root)).toBe(false);
  for (const path of ["renderer/pages/a/b.tsx", "shared/x/y.schema.ts", "package-lock.json"]) {
    await write(path, "2026-01-03");
    expect(await isRendererStale(root), path).toBe(true);
    await write(path, "2026-01-01");
  }
});
