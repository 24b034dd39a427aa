import { open, rename } from "node:fs/promises";
import path from "node:path";

async function sync(place: string, mode: "r" | "r+"): Promise<void> {
  const handle = await open(place, mode);
  await handle.sync().finally(() => handle.close());
}

/** Gives a written file its name. The bytes and the name outlast a power cut. */
export async function syncAndRename(from: string, to: string): Promise<void> {
  await sync(from, "r+");
  await rename(from, to);
  await sync(path.dirname(to), "r");
}
