import type { z } from "zod";
import type { agentAnswer } from "../../shared/metadata/fields/creators.schema.ts";
import type { vocabularyAnswer } from "../../shared/metadata/vocabulary-value.schema.ts";
import type { aggregation, fieldProblem, syncMark, tombstone } from "../../shared/openapi/answers/common.schema.ts";
import type { fileCollection, fileEntry, removedFileList } from "../../shared/openapi/answers/file.schema.ts";
import type { metadata } from "../../shared/openapi/answers/metadata.schema.ts";
import type { publicationDoi, record, savedDraft } from "../../shared/openapi/answers/record.schema.ts";
import type { vocabularyEntry } from "../../shared/openapi/answers/vocabulary.schema.ts";

/** A problem with one field. */
export type Problem = z.infer<typeof fieldProblem>;

/** A vocabulary entry in metadata: sent as `{id}`, answered with `title`. */
export type VocabularyRef = z.infer<typeof vocabularyAnswer>;

/** Text by language code. */
export type Title = NonNullable<VocabularyRef["title"]>;

/** Metadata of a draft or record; a newer server may know more fields. */
export type Metadata = z.infer<typeof metadata> & { [other: string]: unknown };
type ItemOf<Key extends keyof z.infer<typeof metadata>> = Extract<
  z.infer<typeof metadata>[Key],
  readonly unknown[]
>[number];

export type Creator = z.infer<typeof agentAnswer>;
export type PersonOrOrg = NonNullable<Creator["person_or_org"]>;
export type Affiliation = NonNullable<Creator["affiliations"]>[number];
export type Right = ItemOf<"rights">;
export type Subject = ItemOf<"subjects">;
export type RelatedIdentifier = ItemOf<"related_identifiers">;

export type FileEntry = z.infer<typeof fileEntry>;
export type FilesCollection = z.infer<typeof fileCollection>;
/** The name of a file and the one that it gets. */
export interface FileName {
  key: string;
  new_key: string;
}
export type RemovedFiles = z.infer<typeof removedFileList>;
export type PublicationDoi = z.infer<typeof publicationDoi>;

/** Unsent changes and conflicts of an object (hosts-and-sync 3). */
export type SyncMark = z.infer<typeof syncMark>;

type Record = z.infer<typeof record>;
type SavedDraft = z.infer<typeof savedDraft>;

/** A draft or a published record. `errors` and `merged` only in answers to a save. */
export type RecordBody = Omit<Record, "is_published" | "is_draft" | "status" | "metadata" | "access"> &
  Partial<Pick<SavedDraft, "expires_at" | "errors" | "merged">> & {
    is_published: boolean;
    status: SavedDraft["status"];
    metadata: Metadata;
    /** Sent without `status`. */
    access: Omit<Record["access"], "status"> & Partial<Pick<Record["access"], "status">>;
    /** Identifies the exact content of a draft. A save that sends it is merged with later changes. */
    state?: string;
  };

/** The tombstone of a deleted record (records 4.7). */
export type Tombstone = z.infer<typeof tombstone>;

type Aggregation = z.infer<typeof aggregation>;
export type Bucket = Aggregation["buckets"][number];

export interface Envelope<Hit> {
  hits: { hits: Hit[]; total: number };
  aggregations?: { [name: string]: Aggregation };
  sortBy?: string;
  page?: number;
  links: { self: string; prev?: string; next?: string };
}

export type VocabularyEntry = z.infer<typeof vocabularyEntry>;
