import type { Generated, Selectable } from "kysely";

/** JSON stored as text. The presenter or service that reads it parses it. */
type JsonText = string;
/** 0 or 1. */
type Flag = number;
/** Microseconds UTC. */
type Micros = number;

export interface UserRow {
  id: string;
  username: string;
  email: string;
  full_name: string;
  affiliations: string;
  active: Flag;
  confirmed: Flag;
  visibility: string;
  email_visibility: string;
  preferences: JsonText;
  created: Micros;
  updated: Micros;
  revision_id: number;
}

export interface CredentialRow {
  user_id: string;
  hash: string;
  updated: Micros;
}

export interface SessionRow {
  digest: string;
  user_id: string;
  csrf_token: string;
  created: Micros;
  expires_at: Micros;
  /** The browser's own description of itself, at the sign-in. */
  user_agent: string;
  address: string;
  /** Stored at most every few minutes. */
  last_used: Micros;
}

/** Server: what a user's one-time codes are computed from. */
export interface SecondFactorRow {
  user_id: string;
  /** In base 32, as apps for one-time codes take it. */
  secret: string;
  created: Micros;
  /** When the user proved by a code that their device has it; null until then. */
  confirmed: Micros | null;
  /** The 30 seconds of the last code used, so that no code works twice. */
  last_step: number;
}

/** Server: a code for a lost device, as digest. It is deleted when it is used. */
export interface RecoveryCodeRow {
  user_id: string;
  digest: string;
}

/** Server: an account at an identity provider with which a user signs in. */
export interface IdentityRow {
  /** The address of the provider, as its tokens name it. */
  issuer: string;
  /** The provider's own id of the account; for ORCID the iD. */
  subject: string;
  user_id: string;
  /** What the user recognises it by: an address or a name. */
  label: string;
  /** Groups that the user is in because the provider said so. */
  groups: JsonText;
  created: Micros;
  used: Micros;
}

/** Server: a link sent to an address: it invites, resets a password or confirms the address. Its secret is not stored. */
export interface AccountLinkRow {
  id: string;
  kind: "invitation" | "reset" | "confirmation";
  /** Who has an account with the address. Null for an invitation, and for an address without an account. */
  user_id: string | null;
  email: string;
  /** Groups of the invited user. */
  roles: JsonText;
  invited_by: string | null;
  /** The network that asked. */
  network: string;
  created: Micros;
  expires_at: Micros;
  /** When it was used, withdrawn or replaced. */
  ended_at: Micros | null;
  /** The person who gets the account, if the link is a confirmation. */
  newcomer: JsonText | null;
}

/** Server: the quota of a user who has another than that of the settings. */
export interface StorageQuotaRow {
  user_id: string;
  quota_bytes: number;
}

/** Server: one attempt to write a backup. */
export interface BackupRunRow {
  id: string;
  started: Micros;
  /** null while it runs; the server was killed if it does not run. */
  ended: Micros | null;
  /** Who asked for it; null: the schedule. */
  user_id: string | null;
  file: string;
  bytes: number | null;
  blobs: number | null;
  /** Blobs that should be in the backup and are missing in the data folder. */
  missing: number | null;
  error: string | null;
}

export interface TokenRow {
  id: string;
  user_id: string;
  name: string;
  digest: string;
  scopes: string;
  by_password: Flag;
  created: Micros;
  expires_at: Micros | null;
  last_used_at: Micros | null;
  revoked_at: Micros | null;
}

export interface LoginFailureRow {
  subject: string;
  at: Micros;
}

/** Server: a browser in which a user signed in before. */
export interface LoginDeviceRow {
  digest: string;
  user_id: string;
  expires_at: Micros;
}

export interface GroupRow {
  name: string;
  description: string | null;
  is_managed: Flag;
  created: Micros;
  updated: Micros;
  revision_id: number;
}

export interface MembershipRow {
  user_id: string;
  group_name: string;
}

/** A family: all versions and drafts of one record. `viewer_level` is the user's level, as the server sent it to a replica. */
export interface ParentRow {
  id: string;
  owner_id: string;
  settings: JsonText;
  created: Micros;
  viewer_level: string | null;
}

/** The columns that drafts and published versions share. `metadata` is the input form, `expanded` the output form. */
interface ContentColumns {
  id: string;
  parent_id: string;
  version_index: number;
  created: Micros;
  updated: Micros;
  revision_id: number;
  metadata: JsonText;
  expanded: JsonText;
  custom_fields: JsonText;
  /** `{record, files, embargo: {active, until?, reason}}`. */
  access: JsonText;
  pids: JsonText;
  files_enabled: Flag;
  default_preview: string | null;
  file_order: JsonText;
}

export interface RecordRow extends ContentColumns {
  is_latest: Flag;
  tombstone: JsonText | null;
}

export interface DraftRow extends ContentColumns {
  /** 1 for the edit draft of a published record of the same id. */
  is_edit: Flag;
  expires_at: Micros;
  request_id: string | null;
}

export interface DocumentRow {
  draft_id: string;
  parent_id: string;
  epoch: number;
  state: Uint8Array;
}

export interface DocumentWriterRow {
  draft_id: string;
  /** As `writePath` makes it. */
  path: JsonText;
  user_id: string;
  written: Micros;
}

export interface FormerKeyRow {
  record_id: string;
  /** Revision of the record. Documents that start from it use another key. */
  revision: number;
  /** The item's path in the published document, as `writePath` makes it. */
  path: string;
  key: string;
}

export interface PidRow {
  scheme: string;
  identifier: string;
  parent_id: string;
  record_id: string;
  provider: string;
  state: string;
}

/** An id that changed: GET by the old id is answered 301, other methods 308 (hosts-and-sync 3). */
export interface AliasRow {
  old_id: string;
  new_id: string;
  parent_id: string;
}

export interface FileEntryRow {
  id: string;
  owner_kind: "draft" | "record";
  owner_id: string;
  parent_id: string;
  key: string;
  status: "pending" | "completed";
  sha256: string | null;
  md5: string | null;
  size: number | null;
  mimetype: string | null;
  metadata: JsonText | null;
  hidden: Flag;
  /** `{size?, checksum?}` announced at initialisation. */
  announced: JsonText | null;
  file_id: string | null;
  version_id: string | null;
  bucket_id: string;
  created: Micros;
  updated: Micros;
  position: number;
}

/** A completed file that was removed from a draft. It stays a day, also after it was restored. */
export interface RemovedFileRow {
  entry_id: string;
  draft_id: string;
  version_id: string;
  sha256: string;
  /** The entry as it was. */
  entry: JsonText;
  was_preview: Flag;
  /** The place of the file in the draft's `files.order`; null if the order did not name the file. */
  order_index: number | null;
  removed: Micros;
}

/** A blob. `state` is `present`, or `remote` on a replica that has not fetched the bytes. */
export interface BlobRow {
  sha256: string;
  md5: string;
  size: number;
  state: "present" | "remote";
  created: Micros;
  used: Micros;
}

/** A partial upload. The offset counts only bytes that are on the disk (records 6.4.1). */
export interface UploadRow {
  key: string;
  name: string;
  upload_offset: number;
  length: number | null;
  complete: Flag;
  sha256: string | null;
  md5: string | null;
  created: Micros;
  updated: Micros;
}

/** Server: what an upload under way may store of its owner's quota. */
export interface UploadRoomRow {
  id: string;
  user_id: string;
  /** The row of an unfinished upload; null for an attachment. */
  upload: string | null;
  /** What that row had when the call began. */
  start: number;
  bytes: number;
  held_until: Micros;
}

/** What a server process tells the others on its folder. */
interface ProcessMessageTable {
  seq: Generated<number>;
  sender: string;
  body: string;
}

export type ProcessMessageRow = Selectable<ProcessMessageTable>;

/** The object of a bucket with the bytes of a blob. */
export interface BucketObjectRow {
  sha256: string;
  /** The key of the object, below the prefix of the bucket's address. */
  object: string;
  size: number;
  used: Micros;
}

/** What a bucket has of an unfinished upload: equal parts, and a remainder in an object of its own. */
export interface BucketUploadRow {
  name: string;
  /** The key that the whole will have. */
  object: string;
  part_bytes: number;
  /** The store's id of the upload in parts, once there are parts. */
  multipart: string | null;
  /** The number of the next part. Numbers are given out once, so nobody overwrites the part of another. */
  next_part: number;
  parts_size: number;
  /** The object with the remainder. */
  tail: string | null;
  tail_size: number;
  /** The digests of everything so far, to go on from. */
  digests: Uint8Array;
  updated: Micros;
}

export interface BucketPartRow {
  object: string;
  number: number;
  etag: string;
}

export interface AccessLinkRow {
  id: string;
  parent_id: string;
  token: string;
  permission: string;
  description: string;
  created_at: Micros;
  expires_at: string | null;
}

export interface AccessGrantRow {
  id: string;
  parent_id: string;
  subject_type: string;
  subject_id: string;
  permission: string;
  origin: string | null;
  message: string | null;
  created: Micros;
}

export interface RequestRow {
  id: string;
  number: string;
  title: string;
  description: string | null;
  status: string;
  creator_id: string;
  receiver_id: string;
  /** JSON: the reviewers beside the receiver, and the outcomes of all (`requests/reviewer.policy.ts`). */
  reviewers: string;
  topic_record_id: string;
  topic_parent_id: string;
  expires_at: Micros | null;
  is_locked: Flag;
  last_activity_at: Micros;
  created: Micros;
  updated: Micros;
  revision_id: number;
}

/** What a request for access has besides other requests. */
export interface AccessRequestRow {
  request_id: string;
  type: "user-access-request" | "guest-access-request";
  /** The address of a guest; null for a user, like `full_name`. */
  email: string | null;
  full_name: string | null;
  message: string;
  /** Days after which the guest's link ends; 0: never. */
  link_days: number;
}

/** Replica: what a request of an InvenioRDM has besides ours. */
export interface ForeignRequestRow {
  request_id: string;
  /** The server's type of the request, such as `community-submission`. */
  type: string;
  /** JSON: `{ community }` or `{ user }`, with the title of the community if they name it. */
  their_receiver: JsonText;
  /** JSON: `{ record }`, or what else the request is about. */
  their_topic: JsonText;
  /** JSON: the actions that they offer to this user now. */
  offered: JsonText;
}

/** Server: a guest's question for access, from the form on. */
export interface AccessConfirmationRow {
  id: string;
  record_id: string;
  email: string;
  full_name: string;
  message: string;
  /** Where the form came from, for the limit. */
  network: string;
  created: Micros;
  /** Until when the address can be confirmed. */
  expires_at: Micros;
  /** The request, once the address is confirmed. */
  request_id: string | null;
  /** The language of the page on which the guest asked. */
  language: string | null;
}

/** Replica: a draft's review, as readers of the draft see it. */
export interface DraftReviewRow {
  draft_id: string;
  parent_id: string;
  request_id: string;
  receiver_id: string;
  status: string;
}

export interface EventRow {
  id: string;
  request_id: string;
  parent_id: string | null;
  type: "C" | "L";
  event: string | null;
  content: string;
  format: string;
  /** JSON: the field, file or user that the event is about. */
  about: string | null;
  creator_id: string;
  created: Micros;
  updated: Micros;
  revision_id: number;
  position: number;
}

export interface EventFileRow {
  id: string;
  request_id: string;
  event_id: string | null;
  key: string;
  original_filename: string;
  sha256: string;
  md5: string;
  size: number;
  mimetype: string;
  uploader_id: string;
  created: Micros;
}

/** A notification: what others did that concerns the user (hosts-and-sync 5). */
export interface NotificationRow {
  id: string;
  user_id: string;
  kind:
    | "submitted"
    | "access_asked"
    | "accepted"
    | "declined"
    | "cancelled"
    | "commented"
    | "replied"
    | "changes_requested"
    | "review_requested"
    | "mentioned"
    | "record_deleted";
  /** The request; the record if that was deleted. */
  request_id: string;
  comment_id: string | null;
  actor_id: string;
  title: string;
  created: Micros;
  is_read: Flag;
}

/** Server: one row per user and object that the user's replicas hold. A change of the object moves it to the end. */
export interface FeedRow {
  user_id: string;
  kind: string;
  object_id: string;
  seq: number;
  state: "live" | "withdrawn" | "deleted";
}

/** Server: an object that a replica follows because its user opened it. */
export interface SubscriptionRow {
  user_id: string;
  kind: string;
  object_id: string;
  created: Micros;
}

/** Server: the outcome of a pushed operation, stored in the transaction of its effect. */
export interface OperationResultRow {
  id: string;
  user_id: string;
  digest: string;
  outcome: "applied" | "rejected";
  result: JsonText;
  seq: number;
  created: Micros;
}

export interface IdempotencyRow {
  user_id: string;
  key: string;
  digest: string;
  /** Id of the run that executes the call. Another run may take over after `claimed_until`. */
  claim: string;
  claimed_until: Micros;
  /** Results of the commands that this call committed, in order. */
  results: JsonText;
  status: number | null;
  headers: JsonText | null;
  body: JsonText | null;
  created: Micros;
}

export interface IdLeaseRow {
  id: string;
  user_id: string;
  created: Micros;
}

/** Server: the data folder of a replica, as of its last registration. */
export interface ReplicaRow {
  id: string;
  user_id: string;
  /** Counts its registrations. */
  session: number;
  /** Known only to the folder that registered last. */
  nonce: string;
  seen: Micros;
}

/** Replica: an operation that waits for the server, is in the tray (`rejected`) or was executed (`delivered`). */
export interface OperationRow {
  id: string;
  position: Generated<number>;
  kind: string;
  version: number;
  payload: JsonText;
  delivery: "queue" | "ask";
  /** The object that shows its `sync` mark: a draft, a comment, a link. */
  object_kind: string;
  object_id: string;
  /** The bundle that contains its effect. */
  aggregate_kind: string;
  aggregate_id: string;
  title: string;
  /** JSON array of the blobs `{sha256, size}` that the server needs first. */
  blobs: JsonText;
  bytes: number;
  state: "pending" | "sending" | "applied" | "rejected" | "delivered";
  attempts: number;
  next_attempt: Micros | null;
  created: Micros;
  /** The position in the server's feed that confirms the effect. */
  applied_seq: number | null;
  reason: string | null;
  refused: Micros | null;
  /** The server's present state of the object, for the tray. */
  server: JsonText | null;
  /** The id under which it is sent. It changes when the user retries. */
  wire_id: string;
  /** What the user saw when it was rejected: content and files of a draft, to make a copy of it. */
  snapshot: JsonText | null;
  /**
   * When the feed confirmed it, by the server's clock. Once a server was restored, unsent operations have a time here, too
   * (`reviveDelivered`).
   */
  delivered: Micros | null;
  /** As `delivered`, by the clock of this computer. */
  delivered_here: Micros | null;
}

/** Replica: the server's last state of an object, as a bundle of rows. */
export interface BaseRow {
  kind: string;
  object_id: string;
  seq: number;
  bundle: JsonText;
}

export interface ConflictRow {
  id: string;
  user_id: string;
  parent_id: string;
  draft_id: string;
  path: string;
  mine: JsonText;
  theirs: JsonText;
  theirs_by: string | null;
  created: Micros;
}

export interface SettingRow {
  name: string;
  value: JsonText;
}

export interface JobRow {
  id: string;
  kind: string;
  payload: JsonText;
  run_at: Micros;
  attempts: number;
  claimed_until: Micros | null;
  last_error: string | null;
  /** For a mail about a request: the user's id, or `guest:` and the request's id. Null for other mail. */
  recipient: string | null;
}

/** A lock among server processes, held until its lease ends. `wanted`: the newest call that requests it. */
export interface LockRow {
  name: string;
  holder: string;
  wanted: string | null;
  held_until: Micros;
}

/** A one-time ticket for a WebSocket, by the digest of its secret. */
export interface TicketRow {
  digest: string;
  caller: JsonText;
  document: string | null;
  expires_at: Micros;
}

/** The document of a draft at an earlier revision; `place` is the revision. */
export interface DraftPastRow {
  draft_id: string;
  place: number;
  epoch: number;
  owner_id: string;
  /** The size of the state. */
  bytes: number;
  kept: Micros;
  state: Uint8Array;
  /** The user and open editor whose save made the next revision; null for other edits. */
  saver: string | null;
}

/** An imported vocabulary entry. Its words are in `vocabulary_words` under the same number. */
export interface VocabularyEntryRow {
  number: Generated<number>;
  type: string;
  id: string;
  entry: JsonText;
  /** The sort key of lists: the folded title or name. */
  sort_title: string;
  created: Micros;
  updated: Micros;
  revision_id: number;
}

/** Full text of the imported entries. Suggestions search `words`; queries search `words` and `others`. */
export interface VocabularyWordsRow {
  rowid: number;
  kind: string;
  words: string;
  others: string;
  rank: Generated<number>;
}

/** A record or draft in the index (search 12); `seq` grows with every change of a row. */
export interface SearchDocRow {
  doc: Generated<number>;
  kind: "record" | "draft";
  object_id: string;
  parent_id: string;
  seq: number;
  is_live: Flag;
  owner_id: string;
  viewer_level: string;
  created: Micros;
  updated: Micros;
  version_index: number;
  is_latest: Flag;
  is_latest_draft: Flag;
  has_draft: Flag;
  is_public: Flag;
  has_public_files: Flag;
  views: number;
  downloads: number;
  facets: JsonText;
  text_hash: string;
}

export interface SearchPathRow {
  id: Generated<number>;
  path: string;
}

export interface SearchTokenRow {
  id: Generated<number>;
  token: string;
}

export interface SearchTermRow {
  path: number;
  text: string;
  doc: number;
}

/** Numbers and instants have the same `low` and `high`. */
export interface SearchNumberRow {
  path: number;
  low: number;
  high: number;
  doc: number;
}

/** How often a record, or all versions of a family (`id` is the parent's), was viewed and downloaded. */
export interface UsageRow {
  id: string;
  parent_id: string;
  seq: number;
  views: number;
  unique_views: number;
  downloads: number;
  unique_downloads: number;
  /** Bytes of the files downloaded. */
  data_volume: number;
}
export type UsageCounts = Omit<UsageRow, "id" | "parent_id" | "seq">;

/** The state of a record's DOI at the registration agency (server/doi). */
export interface DoiRegistrationRow {
  record_id: string;
  /** The last revision of the record that was sent. */
  sent_revision: number | null;
  is_public: Flag;
  /** The revision that the agency refused. */
  refused_revision: number | null;
  attempts: number;
  run_at: Micros;
  last_error: string | null;
  updated: Micros;
}

/** Server: an audit entry. Rows never change; only retention removes them. */
export interface AuditRow {
  id: Generated<number>;
  at: Micros;
  /** Id of the user; null for anonymous callers, the console and the service itself. */
  actor: string | null;
  via: string;
  /** `token:<id>`, `session:<start of its digest>` or `os-user:<name>`; never a secret. */
  credential: string | null;
  address: string | null;
  action: string;
  object_type: string | null;
  object_id: string | null;
  outcome: "done" | "refused";
  /** HTTP status of a refusal. */
  status: number | null;
  details: JsonText;
}

export interface AuditRetentionRow {
  id: number;
  /** Rows older than this may be removed. */
  before: Micros;
}

/** Server: a version that is public, or was. `changed` never decreases from one change to the next. */
export interface HarvestItemRow {
  record_id: string;
  changed: Micros;
  state: "live" | "deleted";
  /** Names of its OAI-PMH sets, separated by spaces. A deleted item keeps its sets. */
  sets: string;
  /** The record's revision at the last change. */
  revision: number;
  is_latest: Flag;
  /** Files that everyone may download, and their bytes; 0 unless it is the latest version. */
  files: number;
  bytes: number;
}

/** Server: one row for each set of an item, with the item's `changed`. */
export interface HarvestSetRow {
  spec: string;
  changed: Micros;
  record_id: string;
}

/** Server: a collection kept by a group; `group_name` is null once the group is deleted. */
export interface CollectionRow {
  slug: string;
  group_name: string | null;
  title: string;
  query: string;
  text: string;
  created: Micros;
  updated: Micros;
  revision_id: number;
}

/** The picture of a user: a small JPEG. A replica has those that it showed. */
export interface UserPictureRow {
  user_id: string;
  sha256: string;
  bytes: Uint8Array;
}

/** A small note of the app for one user, such as a saved search; of the user `local` on a replica. */
export interface DeskNoteRow {
  user_id: string;
  shelf: string;
  key: string;
  value: JsonText;
}

/** The unsent text of an editor in a request; `place` is empty for the conversation itself. */
export interface CommentDraftRow {
  user_id: string;
  request_id: string;
  place: string;
  draft: JsonText;
}

/** Replica: the last known state of an object on a server without a feed. */
export interface UpstreamObjectRow {
  kind: string;
  id: string;
  /** Grows with every change of a row: its position in the pages that the replica applies. */
  seq: number;
  state: "live" | "withdrawn" | "deleted";
  bundle: JsonText | null;
  /** The server's revision of each draft and record: `{ "draft:<id>": n }`. */
  revisions: JsonText;
  /** Values that the server did not store, by draft: `{ "<id>": [{field, messages}] }`. */
  faults: JsonText;
  checked: Micros;
}

/** Replica: the family of a draft or record of such a server. */
export interface UpstreamContentRow {
  part: "draft" | "record";
  id: string;
  family_id: string;
}

/** Replica: the server's id of an object that was made here. */
export interface UpstreamIdRow {
  kind: "record" | "family" | "file" | "comment";
  local_id: string;
  remote_id: string;
  operation_id: string;
}

/** Replica: an operation at such a server. `sent`: its effect is not known yet; `made`: a first call of several is done. */
export interface UpstreamAttemptRow {
  operation_id: string;
  step: string;
  state: "sent" | "made" | "done";
  sent: Micros;
  /** What is needed to recognise the effect; once done, its result. */
  known: JsonText;
  /** Position of the effect, once done. */
  seq: number | null;
  looks: number;
  next_look: Micros;
}

/** Replica: a value before and after an edit of this user, to recognise an older copy that is saved elsewhere. */
export interface UpstreamWitnessRow {
  id: Generated<number>;
  draft_id: string;
  path: string;
  before: JsonText;
  after: JsonText;
}

/** Replica: where the server has bytes that it names by their MD5. `sha256` stands for them until they were read. */
export interface UpstreamBlobRow {
  sha256: string;
  md5: string;
  size: number;
  record_id: string;
  key: string;
  is_draft: Flag;
}

/** All tables, by name. Features add theirs here and in a migration of their own. */
export interface Schema {
  user: UserRow;
  credential: CredentialRow;
  session: SessionRow;
  account_link: AccountLinkRow;
  storage_quota: StorageQuotaRow;
  backup_run: BackupRunRow;
  identity: IdentityRow;
  second_factor: SecondFactorRow;
  recovery_code: RecoveryCodeRow;
  token: TokenRow;
  login_failure: LoginFailureRow;
  login_device: LoginDeviceRow;
  group: GroupRow;
  membership: MembershipRow;
  parent: ParentRow;
  record: RecordRow;
  draft: DraftRow;
  document: DocumentRow;
  document_writer: DocumentWriterRow;
  former_key: FormerKeyRow;
  pid: PidRow;
  alias: AliasRow;
  file_entry: FileEntryRow;
  removed_file: RemovedFileRow;
  blob: BlobRow;
  upload: UploadRow;
  bucket_object: BucketObjectRow;
  bucket_upload: BucketUploadRow;
  bucket_part: BucketPartRow;
  access_link: AccessLinkRow;
  access_grant: AccessGrantRow;
  draft_review: DraftReviewRow;
  request: RequestRow;
  access_request: AccessRequestRow;
  foreign_request: ForeignRequestRow;
  access_confirmation: AccessConfirmationRow;
  event: EventRow;
  event_file: EventFileRow;
  notification: NotificationRow;
  feed: FeedRow;
  subscription: SubscriptionRow;
  operation_result: OperationResultRow;
  idempotency: IdempotencyRow;
  id_lease: IdLeaseRow;
  replica: ReplicaRow;
  operation: OperationRow;
  base: BaseRow;
  conflict: ConflictRow;
  setting: SettingRow;
  job: JobRow;
  /** Locks. */
  turn: LockRow;
  upload_room: UploadRoomRow;
  process_message: ProcessMessageTable;
  ticket: TicketRow;
  draft_past: DraftPastRow;
  vocabulary_entry: VocabularyEntryRow;
  vocabulary_words: VocabularyWordsRow;
  search_doc: SearchDocRow;
  search_path: SearchPathRow;
  search_term: SearchTermRow;
  search_token: SearchTokenRow;
  search_number: SearchNumberRow;
  usage: UsageRow;
  doi_registration: DoiRegistrationRow;
  audit_log: AuditRow;
  audit_retention: AuditRetentionRow;
  harvest_item: HarvestItemRow;
  harvest_set: HarvestSetRow;
  collection: CollectionRow;
  user_picture: UserPictureRow;
  desk_note: DeskNoteRow;
  comment_draft: CommentDraftRow;
  upstream_object: UpstreamObjectRow;
  upstream_content: UpstreamContentRow;
  upstream_id: UpstreamIdRow;
  upstream_attempt: UpstreamAttemptRow;
  upstream_witness: UpstreamWitnessRow;
  upstream_blob: UpstreamBlobRow;
}
