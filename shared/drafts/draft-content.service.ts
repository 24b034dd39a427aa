import { readAccessInput } from "../access/access-input.schema.ts";
import type { StoredAccess } from "../access/stored-access.schema.ts";
import type { Db } from "../database/open.ts";
import type { DraftRow, FileEntryRow } from "../database/schema.ts";
import type { DraftInput } from "../documents/draft-input.ts";
import { ownProvider, type Pids, readPids, takenDoi } from "../identifiers/pids.schema.ts";
import { Failure, type Problem } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { isObject, type JsonObject, sameJson } from "../kernel/json.ts";
import { longSliceMs, Slices } from "../kernel/time-slice.ts";
import { dayOf } from "../kernel/timestamps.ts";
import { declaredCustomFields } from "../metadata/custom-field-sets.schema.ts";
import {
  type CustomFieldDeclaration,
  collectCustomFieldVocabularyIds,
  expandCustomFields,
  validateCustomFields,
} from "../metadata/custom-fields.schema.ts";
import {
  collectVocabularyIds,
  expandMetadata,
  type Metadata,
  newerFields,
  validateMetadata,
} from "../metadata/metadata.schema.ts";
import { cleanHtml, cleanManyHtml } from "../records/html-cleaner.ts";
import type { EntryLookups, EntryReference } from "../vocabularies/vocabulary.schema.ts";
import type { DraftHas } from "./draft.reader.ts";
import { findDoiAndEntries, findPidElsewhere } from "./draft.repository.ts";
import { type FilesOptions, readFilesOptions } from "./files-options.schema.ts";

/** Loads vocabulary entries before validation, which is synchronous. */
export type LoadEntries = (db: Db, references: readonly EntryReference[]) => Promise<EntryLookups>;

/** The parts of a draft before validation: a PUT body with defaults for absent parts, or the content of the document. */
export interface SentDraft {
  /** Undefined when not sent; missing fields are then not reported. */
  metadata: unknown;
  custom_fields: unknown;
  access: unknown;
  /** Undefined when not sent (records 5). */
  pids: unknown;
  files: unknown;
}

/** Metadata in stored and in output form, and custom fields, all of which the program does not know. */
export interface UnknownFields {
  metadata: Record<string, unknown>;
  expanded: Record<string, unknown>;
  custom: JsonObject;
}

/** Facts about a draft that validation needs besides the content. */
export interface DraftSituation {
  id: string;
  pids: Pids;
  isRegistered: boolean;
  /** Whether an identifier of the service is reserved for the draft. */
  isReserved: boolean;
  files: FilesOptions;
  entries: FileEntryRow[];
  /** Fields that this program or its settings do not know: they are kept as they are. */
  unknown: UnknownFields;
  now: number;
}

export type ContentColumns = Pick<
  DraftRow,
  "metadata" | "expanded" | "custom_fields" | "access" | "pids" | "files_enabled" | "default_preview" | "file_order"
>;

/** Vocabulary entries that were read for a draft. */
interface ReadEntries {
  keys: ReadonlySet<string>;
  found: EntryLookups;
}

export interface DraftContent {
  /** The valid part, to be stored. */
  input: DraftInput;
  columns: ContentColumns;
  /** The `errors` of a saved draft, or of a refused publish. */
  problems: Problem[];
  /** Vocabulary ids that do not exist. They refuse a save (records 3.3). */
  unknownEntries: Problem[];
  /** For a second look at the same content in this call. */
  entries: ReadEntries;
}

export interface DraftContentService {
  /** The custom fields that the settings do not declare. */
  undeclared(custom: JsonObject): JsonObject;
  /** The facts about a draft that does not exist yet. */
  emptySituation(id: string, now: number): DraftSituation;
  /** @param has what there is of the draft, if it was read already. */
  situationOf(db: Db, draft: DraftRow, now: number, has?: DraftHas): Promise<DraftSituation>;
  /**
   * Validates the content of a draft, part by part (records 3.3, 5, 6.6, 7.1, 8).
   * @param known entries that this call has read a moment ago: a save of that moment would have stored the same.
   * @throws Failure 400 for `access` or `files` of a wrong shape.
   */
  read(db: Db, sent: SentDraft, situation: DraftSituation, known?: ReadEntries): Promise<DraftContent>;
  /** The content of a document with the titles of the vocabulary entries that it names by id. */
  named<T extends NamedContent>(db: Db, content: T): Promise<T>;
}

/** What names entries of vocabularies. */
type NamedContent = Pick<DraftInput, "metadata" | "custom_fields">;

/** @throws Failure 400 `Invalid value …` when a vocabulary entry does not exist. */
export function assertEntriesExist({ unknownEntries }: DraftContent): void {
  const [first] = unknownEntries;
  if (first) throw new Failure("invalid", first.messages[0] ?? "Invalid value.", { problems: unknownEntries });
}

const toColumns = (
  input: { custom: unknown; metadata: Metadata; access: StoredAccess; pids: Pids; files: FilesOptions },
  expanded: unknown,
): ContentColumns => ({
  metadata: JSON.stringify(input.metadata),
  expanded: JSON.stringify(expanded),
  custom_fields: JSON.stringify(input.custom),
  access: JSON.stringify(input.access),
  pids: JSON.stringify(input.pids),
  files_enabled: input.files.enabled ? 1 : 0,
  default_preview: input.files.default_preview,
  file_order: JSON.stringify(input.files.order),
});

const emptySituation = (id: string, now: number): DraftSituation => ({
  id,
  pids: {},
  isRegistered: false,
  isReserved: false,
  files: { enabled: true, default_preview: null, order: [] },
  entries: [],
  unknown: { metadata: {}, expanded: {}, custom: {} },
  now,
});

/** Removes unknown fields that equal the stored ones, so that an answer can be sent back. */
function withoutEcho(sent: unknown, unknown: Record<string, unknown>): unknown {
  if (!isObject(sent)) return sent;
  const isEcho = (key: string, value: unknown) => Object.hasOwn(unknown, key) && sameJson(unknown[key], value);
  return Object.fromEntries(Object.entries(sent).filter(([key, value]) => !isEcho(key, value)));
}

/** Loads everything that validation needs from the database, and cleans the markup in steps. */
async function lookupsFor(
  load: (references: EntryReference[]) => ReturnType<LoadEntries>,
  sent: Pick<SentDraft, "metadata" | "custom_fields">,
  { declared, slices, known }: { declared: readonly CustomFieldDeclaration[]; slices: Slices; known?: ReadEntries },
) {
  const markup = new Set<string>();
  const note = (html: string): void => void markup.add(html);
  const references = [
    ...collectVocabularyIds(sent.metadata ?? {}, note),
    ...collectCustomFieldVocabularyIds(sent.custom_fields, declared, note),
  ];
  await slices.next();
  const cleaned = await cleanManyHtml(markup, slices);
  const keys = new Set(references.map(({ type, id }) => `${type}:${id}`));
  const isRead = known !== undefined && [...keys].every((entry) => known.keys.has(entry));
  const entries = isRead ? known : { keys, found: await load(references) };
  const lookups = { ...entries.found, cleanHtml: (html: string) => cleaned.get(html) ?? cleanHtml(html) };
  return { lookups, entries };
}

export interface DraftContentNeeds {
  host: Host;
  loadEntries: LoadEntries;
}

function undeclaredIn(custom: JsonObject, declared: readonly CustomFieldDeclaration[]): JsonObject {
  const names = new Set(declared.map(({ name }) => name));
  return Object.fromEntries(Object.entries(custom).filter(([name]) => !names.has(name)));
}

function unknownIn(
  { metadata, expanded, custom_fields }: DraftRow,
  declared: readonly CustomFieldDeclaration[],
): UnknownFields {
  const stored = newerFields(JSON.parse(metadata));
  const isKnown = Object.keys(stored).length === 0;
  const custom = undeclaredIn(JSON.parse(custom_fields), declared);
  return { metadata: stored, expanded: isKnown ? {} : newerFields(JSON.parse(expanded)), custom };
}

async function situationOf(
  db: Db,
  draft: DraftRow,
  { now, declared, has }: { now: number; declared: readonly CustomFieldDeclaration[]; has: DraftHas | undefined },
): Promise<DraftSituation> {
  const owner = { kind: draft.is_edit === 1 ? "record" : "draft", id: draft.id } as const;
  const { is_registered, is_reserved, entries } =
    has?.files === 0
      ? { is_registered: has.registeredDoi, is_reserved: has.reservedDoi, entries: [] }
      : await findDoiAndEntries(db, draft.id, owner);
  return {
    id: draft.id,
    pids: JSON.parse(draft.pids),
    isRegistered: is_registered === 1,
    isReserved: is_reserved === 1,
    files: {
      enabled: draft.files_enabled === 1,
      default_preview: draft.default_preview,
      order: JSON.parse(draft.file_order),
    },
    entries,
    unknown: unknownIn(draft, declared),
    now,
  };
}

export function draftContentService({ host, loadEntries }: DraftContentNeeds): DraftContentService {
  // Read each time: a replica gets its settings from the server, where they may change.
  const declared = () => declaredCustomFields(host.settings);
  const undeclared = (custom: JsonObject) => undeclaredIn(custom, declared());

  async function readIdentifiers(db: Db, sent: unknown, { id, pids: current, isRegistered }: DraftSituation) {
    const { value, problems } = readPids(sent, { current, prefix: host.settings.doi_prefix, isRegistered });
    const external = value.doi && value.doi.provider !== ownProvider ? value.doi.identifier : "";
    const isTaken = external !== "" && (await findPidElsewhere(db, external, id)) !== undefined;
    return { value, problems: isTaken ? [...problems, takenDoi(external)] : problems };
  }

  return {
    undeclared,
    emptySituation,
    situationOf: (db, draft, now, has) => situationOf(db, draft, { now, has, declared: declared() }),
    async named(db, content) {
      const { metadata, custom_fields } = content;
      const load = (references: EntryReference[]) => loadEntries(db, references);
      const slices = new Slices(longSliceMs);
      const { lookups } = await lookupsFor(load, { metadata, custom_fields }, { declared: declared(), slices });
      const custom = { ...undeclared(custom_fields), ...expandCustomFields(custom_fields, declared(), lookups) };
      return {
        ...content,
        metadata: { ...newerFields(metadata), ...expandMetadata(metadata, lookups) } as JsonObject,
        custom_fields: custom as JsonObject,
      };
    },
    async read(db, sent, situation, known) {
      const slices = new Slices(longSliceMs);
      const access = readAccessInput(sent.access, dayOf(host.byServer(situation.now)));
      const files = readFilesOptions(sent.files, { current: situation.files, entries: situation.entries });
      const { unknown } = situation;
      const sentCustom = withoutEcho(sent.custom_fields, unknown.custom);
      const load = (references: EntryReference[]) => loadEntries(db, references);
      const { lookups, entries } = await lookupsFor(load, sent, {
        declared: declared(),
        slices,
        ...(known ? { known } : {}),
      });
      await slices.next();
      const isSent = sent.metadata !== undefined;
      const metadata = isSent
        ? validateMetadata(withoutEcho(sent.metadata, unknown.expanded), lookups)
        : { value: {}, problems: [], unknownEntries: [] };
      await slices.next();
      const custom = validateCustomFields(sentCustom, declared(), lookups);
      const pids = await readIdentifiers(db, sent.pids, situation);
      const parts = { metadata: metadata.value, access: access.value, pids: pids.value, files: files.value };
      const customOut = { ...expandCustomFields(custom.value, declared(), lookups), ...unknown.custom };
      await slices.next();
      const expanded = expandMetadata(metadata.value, lookups);
      await slices.next();
      const columns = toColumns(
        { ...parts, metadata: { ...metadata.value, ...unknown.metadata }, custom: customOut },
        { ...expanded, ...unknown.expanded },
      );
      await slices.next();
      return {
        input: {
          metadata: metadata.value as JsonObject,
          custom_fields: { ...(custom.value as JsonObject), ...unknown.custom },
          access: access.value,
          pids: pids.value as JsonObject,
          files: files.value,
        },
        columns,
        problems: [metadata, custom, access, files, pids].flatMap(({ problems }) => problems),
        unknownEntries: [...metadata.unknownEntries, ...custom.unknownEntries],
        entries,
      };
    },
  };
}
