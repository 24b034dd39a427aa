import { XMLParser, XMLValidator } from "fast-xml-parser";

/** An element of an answer: its name, attributes, text and children in order. */
export interface Xml {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Xml[];
}

type Node = Record<string, unknown>;

function readNode(node: Node): Xml[] {
  const name = Object.keys(node).find((key) => key !== ":@" && key !== "#text" && !key.startsWith("?"));
  if (name === undefined) return [];
  const inner = node[name] as Node[];
  const texts = inner.flatMap((child) => ("#text" in child ? [String(child["#text"])] : []));
  return [
    {
      name,
      attributes: (node[":@"] ?? {}) as Record<string, string>,
      text: texts.join(""),
      children: inner.flatMap(readNode),
    },
  ];
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  processEntities: true,
});

/** Parses an XML file. @throws when it is not well-formed. */
export function parseXml(text: string): Xml {
  const outcome = XMLValidator.validate(text);
  if (outcome !== true) throw new Error(`not well-formed: ${JSON.stringify(outcome)}\n${text.slice(0, 2000)}`);
  const [root] = (parser.parse(text) as Node[]).flatMap(readNode);
  if (!root) throw new Error("no root element");
  return root;
}

/** The children with this name. */
export const childrenOf = (xml: Xml | undefined, name: string): Xml[] =>
  xml?.children.filter((child) => child.name === name) ?? [];
export const childOf = (xml: Xml | undefined, name: string): Xml | undefined => childrenOf(xml, name)[0];
/** All descendants with this name. */
export const within = (xml: Xml, name: string): Xml[] =>
  xml.children.flatMap((child) => [...(child.name === name ? [child] : []), ...within(child, name)]);

/** What a harvester knows of an item. */
export interface Harvested {
  isDeleted: boolean;
  datestamp: string;
  sets: string[];
  title: string;
}

export type Ask = (parameters: Record<string, string>) => Promise<string>;

/** Keeps a mirror of a repository by incremental harvests, as OAI-PMH 2.0 describes them. */
export class Harvester {
  readonly mirror = new Map<string, Harvested>();
  readonly #ask: Ask;
  #from: string | undefined;
  requests = 0;

  /** @param from the first harvest takes changes from this time on. */
  constructor(ask: Ask, from?: string) {
    this.#ask = ask;
    this.#from = from;
  }

  /** Fetches what changed since the last harvest. @returns the errors that are not `noRecordsMatch`. */
  async harvest(onPage: () => Promise<void> = async () => {}): Promise<void> {
    const first = { verb: "ListRecords", metadataPrefix: "oai_dc", ...(this.#from ? { from: this.#from } : {}) };
    let began: string | undefined;
    for (let parameters: Record<string, string> = first; ; ) {
      this.requests += 1;
      const root = parseXml(await this.#ask(parameters));
      began ??= childOf(root, "responseDate")?.text;
      const error = childOf(root, "error");
      if (error && error.attributes.code !== "noRecordsMatch")
        throw new Error(`${error.attributes.code}: ${error.text}`);
      const list = childOf(root, "ListRecords");
      for (const record of childrenOf(list, "record")) this.#take(record);
      const token = childOf(list, "resumptionToken")?.text ?? "";
      if (token === "") break;
      await onPage();
      parameters = { verb: "ListRecords", resumptionToken: token };
    }
    this.#from = began;
  }

  #take(record: Xml): void {
    const header = childOf(record, "header");
    const textOf = (name: string) => childOf(header, name)?.text ?? "";
    this.mirror.set(textOf("identifier").split(":").at(-1) ?? "", {
      isDeleted: header?.attributes.status === "deleted",
      datestamp: textOf("datestamp"),
      sets: childrenOf(header, "setSpec").map(({ text }) => text),
      title: within(record, "dc:title")[0]?.text ?? "",
    });
  }
}
