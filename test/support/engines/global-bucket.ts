import { startStore } from "./bucket.ts";

/** Starts an S3 store once for all test files of a project. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const store = await startStore();
  if (!store) return undefined;
  process.env.CARREL_TEST_BLOBS = store.freshAddress();
  return store.stop;
}
