/** What is wrong with one field. */
export interface Problem {
  /** Dotted path, such as `metadata.creators.0.person_or_org.family_name`. */
  field: string;
  messages: string[];
}

/** Map of language code to text. */
export type Title = Record<string, string>;

/** An entry of a vocabulary as it stands inside metadata: `{id}` is sent, `title` comes back. */
export interface VocabularyRef {
  id: string;
  title?: Title;
}

export interface PersonOrOrg {
  type: "personal" | "organizational";
  name?: string;
  family_name?: string;
  given_name?: string;
  identifiers?: { scheme: string; identifier: string }[];
}

export interface Affiliation {
  id?: string;
  name?: string;
}

export interface Creator {
  person_or_org: PersonOrOrg;
  role?: VocabularyRef;
  affiliations?: Affiliation[];
}

export interface Right {
  id?: string;
  title?: Title;
  description?: Title;
  link?: string;
  props?: { url?: string };
}

export interface Subject {
  id?: string;
  subject?: string;
  scheme?: string;
}

export interface RelatedIdentifier {
  identifier: string;
  scheme?: string;
  relation_type?: VocabularyRef;
  resource_type?: VocabularyRef;
}

export interface Funding {
  funder: { id?: string; name?: string };
  award?: { id?: string; title?: Title; number?: string };
}

export interface Metadata {
  title?: string;
  resource_type?: VocabularyRef;
  publication_date?: string;
  creators?: Creator[];
  contributors?: Creator[];
  description?: string;
  publisher?: string;
  version?: string;
  languages?: VocabularyRef[];
  subjects?: Subject[];
  rights?: Right[];
  related_identifiers?: RelatedIdentifier[];
  funding?: Funding[];
  additional_titles?: { title: string; type: VocabularyRef; lang?: VocabularyRef }[];
  additional_descriptions?: { description: string; type: VocabularyRef; lang?: VocabularyRef }[];
  dates?: { date: string; type: VocabularyRef; description?: string }[];
  identifiers?: { identifier: string; scheme?: string }[];
  references?: { reference: string; identifier?: string; scheme?: string }[];
  [other: string]: unknown;
}

export interface Access {
  record: "public" | "restricted";
  files: "public" | "restricted";
  embargo: { active: boolean; reason: string | null; until?: string };
  status?: string;
}

export interface FileEntry {
  key: string;
  status: "pending" | "completed";
  checksum?: string;
  mimetype?: string;
  size?: number;
  links: { self: string; content: string; commit?: string; container?: string };
}

export interface FilesOptions {
  enabled: boolean;
  default_preview?: string | null;
  order?: string[];
  count?: number;
  total_bytes?: number;
  entries?: Record<string, FileEntry>;
}

export interface FilesCollection {
  enabled: boolean;
  default_preview?: string | null;
  order?: string[];
  entries?: FileEntry[];
  links: { self: string; archive?: string };
}

/** What is unsent or in dispute about an object (hosts-and-sync 3). */
export interface SyncMark {
  state: "pending" | "sending" | "rejected" | "conflict";
  operations: { id: string; kind: string }[];
  message?: string;
}

/** A draft or a published record; `errors` only in answers to a save. */
export interface RecordBody {
  id: string;
  is_published: boolean;
  status: string;
  created: string;
  updated: string;
  expires_at?: string;
  revision_id: number;
  access: Access;
  files: FilesOptions;
  metadata: Metadata;
  custom_fields: Record<string, unknown>;
  pids: Record<string, { identifier: string; provider: string; client?: string }>;
  parent: {
    id: string;
    access: { owned_by: { user: string }; links: { id: string }[]; grants?: unknown[] };
    review?: { id: string; type: string; receiver: { user: string } };
  };
  versions: { index: number; is_latest: boolean; is_latest_draft: boolean };
  links: Record<string, string>;
  errors?: Problem[];
  /** Of a save that was merged: the fields that others had changed since the revision that it was based on. */
  merged?: string[];
  sync?: SyncMark;
  /** Of a draft: the name of what was shown, exactly; a save that names it is merged with what came since. */
  state?: string;
}

/** What is left of a deleted record (records 4.7). */
export interface Tombstone {
  removal_reason?: { id: string };
  note: string;
  removed_by: { user: string };
  removal_date: string;
  citation_text: string;
}

export interface Bucket {
  key: string;
  doc_count: number;
  label: string;
  is_selected: boolean;
  inner?: { buckets: Bucket[] };
}

export interface Envelope<Hit> {
  hits: { hits: Hit[]; total: number };
  aggregations?: Record<string, { label: string; buckets: Bucket[] }>;
  sortBy?: string;
  page?: number;
  links: { self: string; prev?: string; next?: string };
}

export interface VocabularyEntry {
  id: string;
  title: Title;
  description?: Title;
  props?: Record<string, string>;
  tags?: string[];
}
