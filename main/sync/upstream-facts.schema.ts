/** What a server of another make lets the user do beyond drafts and files. */
export type Offer = "groups" | "ranges" | "restricted-records" | "metadata-only";

/** What was found out about a server of another make. A Carrel server has none of this. */
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
