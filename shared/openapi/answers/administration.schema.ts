import { z } from "zod";
import { attentionKinds, backupSchedule } from "../../administration/administration.schema.ts";
import { address, isoTime, listOf, plainListOf, tombstone } from "./common.schema.ts";
import { named } from "./named.schema.ts";

const count = z.int().min(0);
const mailCounts = z.object({ waiting: count, failing: count, given_up: count });
const doiCounts = z.object({ waiting: count, failing: count, refused: count });
const isConfigured = { is_configured: z.boolean().describe("Whether the operator set the service up") };

export const overview = named(
  "Overview",
  "What needs an administrator, and how the server stands.",
  z.object({
    attention: z
      .array(z.object({ kind: z.enum(attentionKinds), count: z.int().min(1), is_quiet: z.boolean() }))
      .describe("The most urgent first; quiet ones are good to know"),
    people: z.object({ active: count, inactive: count, unconfirmed: count }),
    storage: z.object({
      used_bytes: count.describe("Of all users; at most a minute old"),
      free_bytes: count,
      total_bytes: count.describe("Of the disk with the data"),
      holds_files: z.boolean().describe("Whether the files of users are on that disk, not in a bucket"),
      quota_bytes: count.describe("Of users without a quota of their own"),
    }),
    mail: mailCounts.extend(isConfigured),
    dois: doiCounts.extend(isConfigured),
    backups: z.object({ last_success: isoTime.nullable(), is_running: z.boolean() }),
    invitations: z.object({ open: count, expired: count }),
  }),
);

const attempt = {
  reason: z.string().optional().describe("Why the last attempt failed"),
  attempts: count.nullable().optional(),
  next_attempt: isoTime.optional(),
};

export const mailQueue = named(
  "MailQueue",
  "Unsent mail, at most 300.",
  plainListOf(
    named(
      "UnsentMail",
      "A mail that was not sent yet.",
      z.object({
        id: z.string(),
        state: z.enum(["waiting", "failing", "given_up"]),
        user: z.string().nullable(),
        to: z.string().nullable(),
        trigger: z.string().describe("What it tells of"),
        request: z.string().nullable(),
        ...attempt,
      }),
    ),
  ).extend({ counts: mailCounts, ...isConfigured }),
);

export const doiQueue = named(
  "DoiQueue",
  "DOIs that the agency does not have as they are, failures first, at most 300.",
  plainListOf(
    named(
      "UnregisteredDoi",
      "A DOI whose registration is not done.",
      z.object({
        doi: z.string(),
        record: z.string(),
        state: z.enum(["waiting", "failing", "outdated", "refused"]),
        ...attempt,
      }),
    ),
  ).extend({ counts: doiCounts, ...isConfigured }),
);
export const retried = named("Retried", "How many will be tried again.", z.object({ retried: count }));

const backupRun = named(
  "Backup",
  "One attempt to write a backup.",
  z.object({
    id: z.string(),
    state: z.enum(["running", "done", "failed"]),
    started: isoTime,
    ended: isoTime.nullable(),
    started_by: z.string().nullable().describe("null: the schedule"),
    file: z.string(),
    size: count.nullable(),
    blobs: count.nullable(),
    missing: count.nullable().describe("Contents of files that the data folder should have and has not"),
    error: z.string().nullable(),
    is_kept: z.boolean().describe("Whether the file is still there"),
  }),
);
export const backups = named(
  "Backups",
  "The backups that this server wrote, the newest first, and its schedule.",
  plainListOf(backupRun).extend({
    running: z.object({ id: z.string(), written_bytes: count, total_bytes: count }).nullable(),
    last_success: backupRun.nullable(),
    failure: backupRun.nullable().describe("The last attempt, if it failed"),
    folder: z.string(),
    is_same_disk: z.boolean().describe("Whether a broken disk would take data and backups together"),
    schedule: backupSchedule,
    next: isoTime.nullable(),
    is_overdue: z.boolean(),
  }),
);

export const removedRecords = named(
  "RemovedRecords",
  "A page of deleted records.",
  listOf(
    named(
      "RemovedRecord",
      "A deleted record.",
      z.object({
        id: z.string(),
        title: z.string(),
        owner: z.string().describe("Id of a user"),
        tombstone,
        links: z.object({ self: address, restore: address }),
      }),
    ),
  ),
);
