import { isIP } from "node:net";
import type { HarvestItemRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { OaiError } from "./oai-arguments.ts";
import { type OaiFormat, oaiFormats } from "./oai-formats.ts";

/** The domain name in identifiers: the operator's, else the host name of the server's address. */
function namespaceOf({ settings, baseUrl }: Pick<Host, "settings" | "baseUrl">): string {
  const { hostname } = new URL(baseUrl);
  return settings.oai.namespace ?? (isIP(hostname.replace(/[[\]]/g, "")) === 0 ? hostname : "localhost");
}

/** The repository as OAI-PMH names it. */
export function oaiSite(host: Pick<Host, "settings" | "baseUrl">) {
  const { site, datacite } = host.settings;
  const namespace = namespaceOf(host);
  const prefix = `oai:${namespace}:`;
  const formats = oaiFormats(datacite?.repository_id ?? site.name);
  return {
    name: site.name,
    contact: site.contact,
    baseUrl: `${host.baseUrl}/oai2d`,
    namespace,
    formats,
    identifierOf: ({ record_id }: Pick<HarvestItemRow, "record_id">): string => `${prefix}${record_id}`,
    /** The record's id; undefined for an identifier of another repository. */
    idIn: (identifier: string): string | undefined =>
      identifier.startsWith(prefix) ? identifier.slice(prefix.length) : undefined,
    /** @throws OaiError `cannotDisseminateFormat` */
    formatOf(prefixed: string): OaiFormat {
      const format = formats.find((one) => one.prefix === prefixed);
      if (format) return format;
      throw new OaiError("cannotDisseminateFormat", `The metadata format '${prefixed}' is not available.`);
    },
  };
}

export type OaiSite = ReturnType<typeof oaiSite>;
