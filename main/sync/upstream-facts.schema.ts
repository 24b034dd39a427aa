/** What a non-Carrel server lets the user do beyond drafts and files. */
export type Offer = "groups" | "ranges" | "restricted-records" | "metadata-only";

/** What was found out about a non-Carrel server. Absent for a Carrel server. */
export interface UpstreamFacts {
  kind: "invenio" | "zenodo";
  /** As messages name it. */
  name: string;
  offers: readonly Offer[];
  /** When this was found out, in microseconds UTC. */
  checked: number;
}

/** Whether this is a site for practice, which keeps nothing for good: Zenodo's sandbox. */
export const isPractice = (server: string): boolean => /^https?:\/\/sandbox\./.test(server);
