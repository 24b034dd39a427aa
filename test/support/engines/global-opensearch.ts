import { startOpenSearch } from "./opensearch.ts";

/** Starts OpenSearch once for all test files of a project. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const engine = await startOpenSearch({ isBrief: true });
  if (!engine) return undefined;
  process.env.CARREL_TEST_SEARCH = engine.url;
  return engine.stop;
}
