import type { Response } from "express";

interface SignpostLinks {
  /** Address of the record in the API, which negotiates its link set. */
  self: string;
  /** Address of its page. */
  page: string;
}

const linksetValue = ({ self }: SignpostLinks): string => `<${self}>; rel="linkset"; type="application/linkset+json"`;

/** `Link` of a description of a record: it names the link set, and the page that it describes (interoperability 35). */
export function signpostDescription(res: Response, links: SignpostLinks): void {
  // The page of a record has all its links, also where it answers in another type.
  if (res.hasHeader("Link")) return;
  res.setHeader("Link", `${linksetValue(links)}, <${links.page}>; rel="describes"; type="text/html"`);
}

/** `Link` of a file of a published record: it names the link set, and the page of the record that it belongs to. */
export function signpostFile(res: Response, baseUrl: string, recordId: string): void {
  const links = { self: `${baseUrl}/api/records/${recordId}`, page: `${baseUrl}/records/${recordId}` };
  res.setHeader("Link", `${linksetValue(links)}, <${links.page}>; rel="collection"; type="text/html"`);
}
