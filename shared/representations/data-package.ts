import { spdxIdOf } from "../vocabularies/entries/licenses.ts";
import { type ListedFile, listedFilesOf } from "./open-files.ts";
import {
  type Agent,
  addressOf,
  contributorsOf,
  creatorsOf,
  type PresentedRecord,
  textIn,
  textOfHtml,
} from "./presented-record.ts";

const defined = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const contributorOf = (agent: Agent, role: string) => {
  const orcid = agent.identifiers.find(({ scheme }) => scheme === "orcid")?.identifier;
  return defined({
    title: agent.name,
    givenName: agent.given,
    familyName: agent.family,
    path: orcid && `https://orcid.org/${orcid}`,
    organization: agent.affiliations[0]?.name,
    roles: [role],
  });
};

const licencesOf = ({ metadata }: PresentedRecord) =>
  (metadata.rights ?? []).flatMap(({ id, title, props, link }) => {
    const licence = { name: id && spdxIdOf(id), path: props?.url ?? link, title: textIn(title) };
    // A licence of a data package has a name or a path.
    return licence.name || licence.path ? [defined(licence)] : [];
  });

/** Names of resources: lower-case letters, digits and a few signs, each name once. */
function resourceNames(files: readonly ListedFile[]): string[] {
  const taken = new Set<string>();
  return files.map(({ key }, at) => {
    const plain = key
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^-+|-+$/g, "");
    const name = plain === "" || taken.has(plain) ? `${plain || "file"}-${at + 1}` : plain;
    taken.add(name);
    return name;
  });
}

function resourcesOf(record: PresentedRecord) {
  const files = listedFilesOf(record);
  const names = resourceNames(files);
  return files.map(({ key, address, mediaType, sizeBytes, checksum }, at) => {
    const [, extension] = /\.([A-Za-z0-9]+)$/.exec(key) ?? [];
    return defined({
      name: names[at],
      title: key,
      path: address,
      format: extension?.toLowerCase(),
      mediatype: mediaType,
      bytes: sizeBytes,
      hash: checksum,
    });
  });
}

/** A record as a Data Package 2.0: a resource for each file that its reader may open. */
export function dataPackageOf(record: PresentedRecord): Record<string, unknown> {
  const { metadata } = record;
  const keywords = (metadata.subjects ?? []).flatMap(({ subject }) => subject || []);
  return defined({
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: record.id,
    id: addressOf(record),
    title: metadata.title,
    description: metadata.description && textOfHtml(metadata.description),
    version: metadata.version || undefined,
    homepage: record.links?.self_html,
    created: `${record.created.slice(0, 19).replace(" ", "T")}Z`,
    keywords: keywords.length > 0 ? keywords : undefined,
    licenses: licencesOf(record).length > 0 ? licencesOf(record) : undefined,
    contributors: [
      ...creatorsOf(record).map((agent) => contributorOf(agent, "author")),
      ...contributorsOf(record).map((agent) => contributorOf(agent, "contributor")),
    ],
    resources: resourcesOf(record),
  });
}
