import { createRequire } from "node:module";
import type { VocabularyEntry } from "../vocabulary.schema.ts";

interface SpdxLicense {
  name: string;
  url?: string;
  osiApproved: boolean;
}

/** What a licence asks for, in a sentence of our own, for those that people choose most. */
const descriptions: Record<string, string> = {
  "cc-by-4.0": "Anyone may share and adapt the work, also commercially, if they credit its authors.",
  "cc-by-sa-4.0": "As CC BY; works made from it must be shared under the same licence.",
  "cc-by-nc-4.0":
    "Anyone may share and adapt the work for purposes that are not commercial, if they credit its authors.",
  "cc-by-nd-4.0": "Anyone may share the work unchanged, also commercially, if they credit its authors.",
  "cc-by-nc-sa-4.0": "As CC BY-NC; works made from it must be shared under the same licence.",
  "cc-by-nc-nd-4.0":
    "Anyone may share the work unchanged for purposes that are not commercial, if they credit its authors.",
  "cc0-1.0": "The authors give up all their rights, as far as the law allows: anyone may do anything with the work.",
  mit: "A short licence for software that asks only to keep its notice.",
  "apache-2.0": "A licence for software that asks to keep notices and state changes, and grants patent rights.",
  "gpl-3.0-or-later": "A licence for software that asks to pass on sources and the same freedoms.",
  "odbl-1.0": "A licence for databases that asks for credit and the same licence.",
};

const spdxList = () =>
  createRequire(import.meta.url)("spdx-license-list/spdx.json") as Record<string, SpdxLicense>;

let spdxIds: Map<string, string> | undefined;

/** The id as SPDX writes it, such as `CC-BY-4.0` for `cc-by-4.0`; undefined for other licences. */
export function spdxIdOf(id: string): string | undefined {
  spdxIds ??= new Map(Object.keys(spdxList()).map((spdxId) => [spdxId.toLowerCase(), spdxId]));
  return spdxIds.get(id);
}

/** The licences of SPDX, ids in lower case (records 8.5). */
export function licenses(): VocabularyEntry[] {
  const spdx = spdxList();
  return Object.entries(spdx).map(([spdxId, { name, url, osiApproved }]) => {
    const id = spdxId.toLowerCase();
    const description = descriptions[id];
    return {
      id,
      title: { en: name },
      ...(description === undefined ? {} : { description: { en: description } }),
      ...(id.startsWith("cc") ? { icon: id.replace(/-\d.*$/, "-icon") } : {}),
      props: { ...(url ? { url: url.trim() } : {}), scheme: "spdx", osi_approved: osiApproved ? "y" : "" },
      tags: [...(description ? ["recommended"] : []), ...(id.startsWith("cc") ? ["data"] : ["software"])],
    };
  });
}
