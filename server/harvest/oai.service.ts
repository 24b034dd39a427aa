import type { HarvestItemRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type Children, parent } from "../../shared/representations/xml.ts";
import type { HarvestService } from "./harvest.service.ts";
import { OaiError, type OaiRequest, readOaiRequest } from "./oai-arguments.ts";
import { formatsIn, identityOf, setsIn } from "./oai-descriptions.ts";
import { oaiLists, type PageSizes, recordsIn } from "./oai-lists.ts";
import { oaiSite } from "./oai-site.ts";
import { oaiAnswer, oaiErrorElement } from "./oai-xml.ts";

const defaultPageSizes: PageSizes = { ListRecords: 100, ListIdentifiers: 1000 };

export interface OaiParts {
  host: Pick<Host, "now" | "settings" | "baseUrl">;
  harvest: HarvestService;
  secret: Uint8Array;
  pageSizes?: PageSizes;
}

/** Answers OAI-PMH 2.0 (web 8). */
export function oaiService({ host, harvest, secret, pageSizes = defaultPageSizes }: OaiParts) {
  const site = oaiSite(host);
  const list = oaiLists({ site, harvest, secret, pageSizes });

  async function itemOf(identifier = ""): Promise<HarvestItemRow> {
    const id = site.idIn(identifier);
    const item = id === undefined ? undefined : await harvest.find(id);
    if (!item) throw new OaiError("idDoesNotExist", "No item of this repository has this identifier.");
    return item;
  }

  async function formatsOf(identifier: string | undefined): Promise<Children> {
    if (identifier !== undefined && (await itemOf(identifier)).state === "deleted")
      throw new OaiError("noMetadataFormats", "The item is deleted.");
    return formatsIn(site.formats);
  }

  async function contentOf(request: OaiRequest, time: number): Promise<Children> {
    const { verb, given } = request;
    switch (verb) {
      case "Identify":
        return identityOf(site, (await harvest.changes())?.first ?? time);
      case "ListMetadataFormats":
        return formatsOf(given.get("identifier"));
      case "ListSets":
        if (!given.has("resumptionToken")) return setsIn(await harvest.collections(), await harvest.sets());
        throw new OaiError("badResumptionToken", "The list of sets has one page only.");
      case "GetRecord": {
        const format = site.formatOf(given.get("metadataPrefix") ?? "");
        return recordsIn({ site, harvest }, format, [await itemOf(given.get("identifier"))]);
      }
      default:
        return list(request, verb, time);
    }
  }

  return {
    /** The answer to the arguments of a request, as XML. */
    async answer(sent: URLSearchParams): Promise<string> {
      // Taken before anything is read: what commits later is in the next harvest from this time on.
      const time = host.now();
      const envelope = { baseUrl: site.baseUrl, now: time };
      let request: Record<string, string> = {};
      try {
        const parsed = readOaiRequest(sent);
        request = { verb: parsed.verb, ...Object.fromEntries(parsed.given) };
        return oaiAnswer({ ...envelope, request }, parent(parsed.verb, await contentOf(parsed, time)));
      } catch (error) {
        if (!(error instanceof OaiError)) throw error;
        const isUnread = error.code === "badVerb" || error.code === "badArgument";
        return oaiAnswer({ ...envelope, ...(isUnread ? {} : { request }) }, oaiErrorElement(error));
      }
    },
  };
}
