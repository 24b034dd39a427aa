import { doiAddress } from "../identifiers/scheme.schema.ts";
import { imageAddress, thumbnailLinks } from "../iiif/thumbnails.presenter.ts";

/** The facts that decide the links of a record or draft (records 9). */
export interface LinkFacts {
  baseUrl: string;
  id: string;
  parentId: string;
  isDraft: boolean;
  hasReview: boolean;
  doi?: string;
  /** The DOI of all versions. */
  parentDoi?: string;
  /** Name of the picture that stands for the record, if the caller may see it. */
  cover?: string | undefined;
}

/** Addresses; `thumbnails` has one for each width. */
export type RecordLinks = Record<string, string | Record<string, string>>;

const common = (self: string, page: string): Record<string, string> => ({
  preview_html: `${page}?preview=1`,
  latest: `${self}/versions/latest`,
  latest_html: `${page}/latest`,
  versions: `${self}/versions`,
  access_links: `${self}/access/links`,
  access_grants: `${self}/access/grants`,
  access_users: `${self}/access/users`,
  access_groups: `${self}/access/groups`,
  access: `${self}/access`,
  communities: `${self}/communities`,
  "communities-suggestions": `${self}/communities-suggestions`,
  requests: `${self}/requests`,
});

function ofDraft(facts: LinkFacts, self: string, page: string): Record<string, string> {
  return {
    self: `${self}/draft`,
    self_html: `${facts.baseUrl}/uploads/${facts.id}`,
    publish: `${self}/draft/actions/publish`,
    review: `${self}/draft/review`,
    ...(facts.hasReview ? { "submit-review": `${self}/draft/actions/submit-review` } : {}),
    files: `${self}/draft/files`,
    archive: `${self}/draft/files-archive`,
    record: self,
    record_html: page,
    reserve_doi: `${self}/draft/pids/doi`,
  };
}

const ofRecord = (facts: LinkFacts, self: string, page: string): Record<string, string> => ({
  self,
  self_html: page,
  files: `${self}/files`,
  archive: `${self}/files-archive`,
  draft: `${self}/draft`,
  parent: `${facts.baseUrl}/api/records/${facts.parentId}`,
  parent_html: `${facts.baseUrl}/records/${facts.parentId}`,
});

/** All links of a record or draft, absolute (records 9). */
export function recordLinks(facts: LinkFacts): RecordLinks {
  const { baseUrl, id, isDraft, doi, parentDoi, cover } = facts;
  const self = `${baseUrl}/api/records/${id}`;
  const page = `${baseUrl}/records/${id}`;
  const iiif = `${baseUrl}/api/iiif/${isDraft ? "draft" : "record"}:${id}`;
  const doiLink: Record<string, string> = doi === undefined ? {} : { doi: doiAddress(doi), self_doi: doiAddress(doi) };
  return {
    ...(isDraft ? ofDraft(facts, self, page) : ofRecord(facts, self, page)),
    ...common(self, page),
    ...doiLink,
    ...(parentDoi === undefined ? {} : { parent_doi: doiAddress(parentDoi) }),
    self_iiif_manifest: `${iiif}/manifest`,
    self_iiif_sequence: `${iiif}/sequence/default`,
    ...(cover === undefined ? {} : { thumbnails: thumbnailLinks(imageAddress(baseUrl, facts, cover)) }),
  };
}
