import type { HarvestItemRow } from "../../shared/database/schema.ts";
import { type Children, element, parent, type XmlText } from "../../shared/representations/xml.ts";
import { type OaiError, oaiTime } from "./oai-arguments.ts";

const root =
  '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
  'xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">';

const present = (children: Children): string => children.map((child) => child?.xml ?? "").join("");

export interface OaiEnvelope {
  baseUrl: string;
  /** Microseconds UTC. */
  now: number;
  /** Verb and arguments of the request; absent after `badVerb` and `badArgument`. */
  request?: Record<string, string>;
}

/** A complete answer. */
export const oaiAnswer = ({ baseUrl, now, request = {} }: OaiEnvelope, ...content: Children): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${root}${present([
    element("responseDate", oaiTime(now)),
    element("request", baseUrl, request),
    ...content,
  ])}</OAI-PMH>\n`;

export const oaiErrorElement = ({ code, message }: OaiError): XmlText | undefined =>
  element("error", message, { code });

/** The header of an item (OAI-PMH 2.5). */
export const headerOf = (item: HarvestItemRow, identifier: string): XmlText | undefined =>
  parent(
    "header",
    [
      element("identifier", identifier),
      element("datestamp", oaiTime(item.changed)),
      ...item.sets.split(" ").map((spec) => element("setSpec", spec || undefined)),
    ],
    { status: item.state === "deleted" ? "deleted" : undefined },
  );

/** A record: its header, and its metadata unless it is deleted. */
export const recordOf = (header: XmlText | undefined, metadata: string | undefined): XmlText | undefined =>
  parent("record", [header, metadata === undefined ? undefined : parent("metadata", [{ xml: metadata }])]);

/** The end of a page: a token, an empty element on the last of several pages, nothing on an only page. */
export function tokenElement(list: {
  cursor: number;
  completeListSize: number;
  token: string | undefined;
}): XmlText | undefined {
  const { cursor, completeListSize, token } = list;
  if (token === undefined && cursor === 0) return undefined;
  const attributes = { completeListSize: String(completeListSize), cursor: String(cursor) };
  return element("resumptionToken", token ?? "", attributes);
}
