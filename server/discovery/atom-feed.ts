import { creatorsOf, type PresentedRecord, textIn, textOfHtml } from "../../shared/representations/presented-record.ts";
import { type Children, element, parent, type XmlText, xmlFile } from "../../shared/representations/xml.ts";

export interface Feed {
  title: string;
  /** The name of the repository. */
  author: string;
  /** Names the feed; the same on each of its pages (RFC 5005). */
  id: string;
  self: string;
  /** The page that shows the same. */
  page: string;
  next?: string;
  previous?: string;
  records: readonly PresentedRecord[];
}

const summaryLimit = 500;

/** `YYYY-MM-DD hh:mm:ss.ffffff` in UTC as a time of RFC 3339. */
const atomTime = (spaced = "1970-01-01 00:00:00"): string => `${spaced.slice(0, 19).replace(" ", "T")}Z`;

const link = (rel: string, href: string | undefined, type?: string): XmlText | undefined =>
  href === undefined ? undefined : element("link", "", { rel, href, type });

function summaryOf({ metadata }: PresentedRecord): string | undefined {
  const text = metadata.description && textOfHtml(metadata.description);
  if (!text) return undefined;
  return text.length > summaryLimit ? `${text.slice(0, summaryLimit).toWellFormed()}…` : text;
}

function entryOf(record: PresentedRecord & { created?: string; updated?: string }): XmlText | undefined {
  const { metadata, links, created, updated } = record;
  const type = metadata.resource_type;
  const children: Children = [
    element("id", links?.self_html),
    element("title", metadata.title ?? ""),
    element("updated", atomTime(updated)),
    element("published", atomTime(created)),
    link("alternate", links?.self_html, "text/html"),
    ...creatorsOf(record).map(({ name }) => parent("author", [element("name", name)])),
    type?.id === undefined ? undefined : element("category", "", { term: type.id, label: textIn(type.title) }),
    element("summary", summaryOf(record)),
  ];
  return parent("entry", children);
}

/** Records as an Atom feed (RFC 4287), in pages (RFC 5005). */
export function atomFeed({ title, author, id, self, page, next, previous, records }: Feed): string {
  const times = records.map((record) => atomTime((record as { updated?: string }).updated)).sort();
  const feed = parent(
    "feed",
    [
      element("id", id),
      element("title", title),
      element("updated", times.at(-1) ?? atomTime()),
      parent("author", [element("name", author)]),
      link("self", self, "application/atom+xml"),
      link("alternate", page, "text/html"),
      link("previous", previous, "application/atom+xml"),
      link("next", next, "application/atom+xml"),
      ...records.map(entryOf),
    ],
    { xmlns: "http://www.w3.org/2005/Atom" },
  );
  return xmlFile(feed ?? { xml: "" });
}
