import { isPractice, type Offer, type UpstreamFacts } from "../../sync/upstream-facts.schema.ts";

export function siteName(server: string, kind: UpstreamFacts["kind"]): string {
  if (kind === "invenio") return new URL(server).hostname;
  return isPractice(server) ? "Zenodo (practice)" : "Zenodo";
}

export const offersOf = (kind: UpstreamFacts["kind"]): Offer[] =>
  kind === "zenodo" ? ["ranges"] : ["groups", "restricted-records", "metadata-only"];
