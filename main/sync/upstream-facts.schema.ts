/** What a non-Carrel server lets the user do beyond drafts and files. */
export type Offer = "groups" | "ranges" | "restricted-records" | "metadata-only";

/** What probing a non-Carrel server showed. Absent for a Carrel server. */
export interface UpstreamFacts {
  kind: "invenio" | "zenodo";
  /** The name of the server in messages. */
  name: string;
  offers: readonly Offer[];
  /** When the server was probed, in microseconds UTC. */
  checked: number;
}

/** Whether this is a sandbox, such as Zenodo's, which keeps nothing for good. */
export const isPractice = (server: string): boolean => /^https?:\/\/sandbox\./.test(server);
