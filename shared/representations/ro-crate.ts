import { type ListedFile, listedFilesOf } from "./open-files.ts";
import type { PresentedRecord } from "./presented-record.ts";
import { schemaOrgOf } from "./schema-org.ts";

export const crateMetadataName = "ro-crate-metadata.json";
/** The files of a crate stand in a folder of their own, so that none takes the place of its metadata. */
export const crateFolder = "data/";
/** The profile of crates, as signposting and `Accept` name it. */
export const crateProfile = "https://w3id.org/ro/crate";
const specification = `${crateProfile}/1.1`;

/** The type of RO-Crate metadata, with its profile. */
export const crateType: string = `application/ld+json;profile="${crateProfile} ${specification}"`;

/** A record with its files as an RO-Crate. It is a stream, so it is not in the table of representations. */
export const crateZipType: string = `application/zip;profile="${crateProfile}"`;

type Entity = Record<string, unknown>;

/** Entities stand once in the graph; others refer to them by `@id`. */
class Graph {
  readonly #entities = new Map<string, Entity>();

  /** Adds the entity, with those inside it. @returns the reference to it. */
  add(entity: Entity, id: string): { "@id": string } {
    const { "@context": _context, "@id": _id, ...members } = entity;
    if (!this.#entities.has(id)) {
      const kept: Entity = { "@id": id };
      this.#entities.set(id, kept);
      for (const [name, value] of Object.entries(members)) kept[name] = this.#flat(value);
    }
    return { "@id": id };
  }

  /** Replaces an entity inside another one by a reference. */
  #flat(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#flat(item));
    if (typeof value !== "object" || value === null) return value;
    const entity = value as Entity;
    if (!("@type" in entity)) return entity;
    const id = typeof entity["@id"] === "string" ? entity["@id"] : `#${this.#nameOf(entity)}`;
    return this.add(entity, id);
  }

  #nameOf(entity: Entity): string {
    return encodeURIComponent(`${entity["@type"]}-${entity.name ?? JSON.stringify(entity)}`.replace(/\s+/g, "-"));
  }

  list = (): Entity[] => [...this.#entities.values()];
}

/** The address of a file inside a crate. */
const pathInCrate = ({ key }: ListedFile): string => crateFolder + key.split("/").map(encodeURIComponent).join("/");

const fileOf = ({ key, mediaType, sizeBytes, checksum }: ListedFile): Entity => ({
  "@type": "File",
  name: key,
  encodingFormat: mediaType,
  contentSize: String(sizeBytes),
  ...(checksum?.startsWith("md5:") ? { md5: checksum.slice(4) } : {}),
});

/** Licences as entities with their name, as the specification recommends. */
function licencesOf({ metadata }: PresentedRecord): Entity[] {
  return (metadata.rights ?? []).map(({ title, props, link }) => {
    const address = props?.url ?? link;
    const name = title?.en ?? Object.values(title ?? {})[0] ?? address;
    return { "@type": "CreativeWork", ...(address === undefined ? {} : { "@id": address }), name };
  });
}

/**
 * A record as RO-Crate 1.1 metadata.
 * @param isPacked whether the files are beside it in an archive; else they are named by their addresses.
 */
export function roCrateOf(record: PresentedRecord, isPacked = false): Entity {
  const graph = new Graph();
  const { distribution: _distribution, headline: _headline, creator: _creator, ...known } = schemaOrgOf(record);
  const files = listedFilesOf(record);
  const licences = licencesOf(record);
  const root: Entity = {
    ...known,
    "@type": "Dataset",
    ...(record.metadata.resource_type ? { additionalType: known["@type"] } : {}),
    name: known.name ?? record.id,
    description: known.description ?? known.name ?? record.id,
    datePublished: known.datePublished ?? record.created.slice(0, 10),
    ...(licences.length > 0 ? { license: licences } : {}),
    hasPart: files.map((file) => ({ ...fileOf(file), "@id": isPacked ? pathInCrate(file) : file.address })),
  };
  const descriptor = { "@type": "CreativeWork", conformsTo: { "@id": specification }, about: { "@id": "./" } };
  graph.add(descriptor, crateMetadataName);
  graph.add(root, "./");
  return { "@context": `${specification}/context`, "@graph": graph.list() };
}
