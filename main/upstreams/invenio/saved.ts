import type { BundleRow } from "../../../shared/bundles/bundle.schema.ts";
import type { Tx } from "../../../shared/database/open.ts";
import type { ShadowDocument } from "./read/family.ts";
import type { NamedFault } from "./read/faults.schema.ts";

/** What a save made of a draft, beside the server's answer. */
export interface Saved {
  document: ShadowDocument;
  faults?: readonly NamedFault[];
  /** New conflicts. */
  conflicts?: readonly BundleRow[];
  /** Whether a conflict is settled by it. */
  isSettled?(conflict: BundleRow): boolean;
  /** Further work in the transaction. @param seq position of the draft in the shadow */
  also?(tx: Tx, seq: number): Promise<void>;
}
