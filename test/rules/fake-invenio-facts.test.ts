import { afterAll, beforeAll, describe, test } from "vitest";
import { factRows } from "../invenio/fact-rows.ts";
import { startFakeSite } from "../invenio/fake-site.ts";

let started: Awaited<ReturnType<typeof startFakeSite>>;

beforeAll(async () => {
  started = await startFakeSite();
});
afterAll(() => started.fake.stop());

// `npm run test:invenio` tries the same rows on a real server.
describe("facts that a real InvenioRDM was seen to hold", () => {
  for (const { fact, says, holds } of factRows) test(`${says} (upstreams ${fact})`, () => holds(started.site));
});
