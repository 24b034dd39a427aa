import { DomUtils, parseDocument } from "htmlparser2";
import type { Appeared } from "./appeared.ts";
import { doiIn, organisation, person, type ReadWork, workOf } from "./work.ts";

type Document = ReturnType<typeof parseDocument>;
type Node = Document["children"][number];
type Element = Extract<Node, { attribs: unknown }>;

const isElement = (node: Node): node is Element => "attribs" in node;
const elementsIn = (parent: Document | Element | undefined): Element[] => (parent?.children ?? []).filter(isElement);

/** The name of an element without its prefix. */
const localName = ({ name }: Element): string => name.replace(/^.*:/, "");
const allNamed = (parent: Element | undefined, ...names: string[]): Element[] =>
  elementsIn(parent).filter((one) => names.includes(localName(one)));
const textOf = (element: Element | undefined): string => (element ? DomUtils.textContent(element).trim() : "");
const wordOf = (parent: Element | undefined, ...names: string[]): string | undefined =>
  textOf(allNamed(parent, ...names)[0]) || undefined;

/** People in `<bib:authors><rdf:Seq><rdf:li><foaf:Person>`; an organisation has no given name. */
function peopleIn(parent: Element) {
  const items = allNamed(parent, "authors", "programmers", "cartographers", "presenters", "contributors")
    .flatMap((list) => allNamed(list, "Seq"))
    .flatMap((list) => allNamed(list, "li"))
    .flatMap((item) => allNamed(item, "Person"));
  return items.flatMap((one) => {
    const family = wordOf(one, "surname", "name");
    const given = wordOf(one, "givenName", "givenname");
    if (!family) return [];
    return [given ? person(family, given) : organisation(family)];
  });
}

/** An EDTF date of an ISO date, or of a text that holds a year. */
const dateIn = (text = ""): string | undefined => /^\d{4}(-\d\d){0,2}/.exec(text)?.[0] ?? /\b\d{4}\b/.exec(text)?.[0];

/** What is after a word such as `DOI` or `ISSN` in the identifiers of an element. */
function numbered(elements: readonly (Element | undefined)[], word: string): string | undefined {
  const texts = elements.flatMap((one) => allNamed(one, "identifier")).map(textOf);
  return texts.find((text) => text.startsWith(`${word} `))?.slice(word.length + 1);
}

function workOfItem(item: Element, byAddress: ReadonlyMap<string, Element>): ReadWork {
  const [isPartOf] = allNamed(item, "isPartOf");
  const container = elementsIn(isPartOf)[0] ?? byAddress.get(isPartOf?.attribs["rdf:resource"] ?? "");
  const type = wordOf(item, "itemType") ?? "";
  const publisher = wordOf(allNamed(allNamed(item, "publisher")[0], "Organization")[0], "name");
  const isInBook = ["bookSection", "conferencePaper", "encyclopediaArticle"].includes(type);
  const appeared: Appeared = {
    [isInBook ? "book" : "journal"]: wordOf(container, "title"),
    volume: wordOf(container, "volume") ?? wordOf(item, "volume"),
    issue: wordOf(container, "number"),
    pages: wordOf(item, "pages"),
    issn: numbered([container, item], "ISSN"),
    isbn: numbered([container, item], "ISBN"),
    edition: wordOf(item, "edition"),
    ...(type === "thesis" ? { university: publisher, thesisType: wordOf(item, "type") } : {}),
  };
  const identifiers = allNamed(item, "identifier").map(textOf);
  return workOf({
    type,
    title: wordOf(item, "title"),
    date: dateIn(wordOf(item, "date")),
    creators: peopleIn(item),
    abstract: wordOf(item, "abstract"),
    publisher,
    version: wordOf(item, "version"),
    subjects: allNamed(item, "subject").map(textOf).filter(Boolean),
    doi: numbered([item, container], "DOI") ?? identifiers.find(doiIn),
    appeared,
    unplaced: identifiers
      .filter((text) => /^https?:/.test(text) && !doiIn(text))
      .map((value) => ({ name: "url", value })),
  });
}

/** Parts of an export that belong to an item. */
const isPart = (type: string | undefined): boolean => type === "attachment" || type === "note";

/** Exports are a few levels deep. A parser of XML takes time with the square of the depth. */
const maxDepth = 100;

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [tag] of text.matchAll(/<[/\w][^<>]*/g)) {
    depth += tag.startsWith("</") ? -1 : tag.endsWith("/") ? 0 : 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Each item of an export as "Zotero RDF", which Zotero offers first. */
export function fromZoteroRdf(text: string): ReadWork[] {
  if (!/<rdf:RDF\b/.test(text) || !text.includes("zotero.org/namespaces/export") || isTooDeep(text)) return [];
  const root = elementsIn(parseDocument(text, { xmlMode: true })).find((one) => localName(one) === "RDF");
  const all = elementsIn(root);
  const byAddress = new Map(all.map((one) => [one.attribs["rdf:about"] ?? "", one]));
  return all
    .filter((one) => {
      const type = wordOf(one, "itemType");
      return type !== undefined && !isPart(type);
    })
    .map((one) => workOfItem(one, byAddress));
}
