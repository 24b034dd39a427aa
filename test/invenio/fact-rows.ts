import { draftRows } from "./draft-rows.ts";
import { fileRows } from "./file-rows.ts";
import { peopleRows } from "./people-rows.ts";
import type { FactRow } from "./site-under-test.ts";

/** Everything that is tried on a real InvenioRDM and on the fake. */
export const factRows: readonly FactRow[] = [...draftRows, ...fileRows, ...peopleRows].toSorted(
  (a, b) => Number(a.fact.slice(1)) - Number(b.fact.slice(1)),
);
