import { isInTime } from "../accounts/account-link.service.ts";
import type { Invitations } from "../accounts/invitation.service.ts";
import type { StorageQuotaService } from "../blobs/storage-quota.service.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { isoTime } from "../kernel/timestamps.ts";
import { type AttentionKind, attentionKinds, type BackupState, quietKinds } from "./administration.schema.ts";
import { countPeople, listQuotas } from "./person.repository.ts";
import { assertAdministrator } from "./person.service.ts";
import type { Counts, Disk, ServerDesk } from "./server-desk.ts";

/** The overview warns when this share of a quota or disk is used. */
const nearlyFull = 0.9;

export interface OverviewParts {
  host: Host;
  quota: Pick<StorageQuotaService, "usageOfAll">;
  invitations: Pick<Invitations, "list">;
  desk: ServerDesk | undefined;
}

/** The desk of the server. @throws Failure 403 unless administrator; 503 on a host without one. */
export function requireDesk(desk: ServerDesk | undefined, caller: Caller): ServerDesk {
  assertAdministrator(caller);
  if (!desk) throw new Failure("unavailable", "The server is needed for this.");
  return desk;
}

const failed = (counts: Counts): number => (counts.failing ?? 0) + (counts.given_up ?? 0) + (counts.refused ?? 0);

interface Facts {
  backups: BackupState;
  disk: Disk;
  mail: Counts;
  dois: Counts;
  nearlyFullPeople: number;
  invitations: { open: number; expired: number };
}

/** How many of each kind need attention; absent: none. */
function attentionOf({ backups, disk, mail, dois, nearlyFullPeople, invitations }: Facts) {
  const counts: Record<AttentionKind, number> = {
    backup_failed: backups.failure ? 1 : 0,
    disk_nearly_full: disk.total_bytes > 0 && disk.free_bytes < disk.total_bytes * (1 - nearlyFull) ? 1 : 0,
    backup_overdue: !backups.failure && backups.isOverdue ? 1 : 0,
    mail_failed: failed(mail),
    doi_failed: failed(dois),
    quota_nearly_full: nearlyFullPeople,
    no_backup: backups.lastSuccess ? 0 : 1,
    backup_on_same_disk: backups.isSameDisk ? 1 : 0,
    invitations_expired: invitations.expired,
    invitations_open: invitations.open,
  };
  return attentionKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => ({ kind, count: counts[kind], is_quiet: quietKinds.includes(kind) }));
}

/** What the start page of administrators shows (app, Missing 10). */
export function overviewService({ host, quota, invitations, desk }: OverviewParts) {
  async function nearlyFullPeople(used: ReadonlyMap<string, number>): Promise<number> {
    const own = await listQuotas(host.db);
    return [...used].filter(([id, bytes]) => bytes >= nearlyFull * (own.get(id) ?? host.settings.user_quota_bytes))
      .length;
  }

  async function invited(): Promise<{ open: number; expired: number }> {
    const all = await invitations.list(host.db);
    const open = all.filter((link) => isInTime(link, host.now())).length;
    return { open, expired: all.length - open };
  }

  return async function overview(caller: Caller): Promise<Record<string, unknown>> {
    const { disk, mail, dois, backups } = requireDesk(desk, caller);
    const used = await quota.usageOfAll();
    const facts: Facts = {
      ...{ backups: await backups.state(), disk: await disk(), mail: await mail.counts(), dois: await dois.counts() },
      nearlyFullPeople: await nearlyFullPeople(used),
      invitations: await invited(),
    };
    const last = facts.backups.lastSuccess?.ended;
    return {
      attention: attentionOf(facts),
      people: await countPeople(host.db),
      storage: {
        ...facts.disk,
        used_bytes: [...used.values()].reduce((sum, bytes) => sum + bytes, 0),
        quota_bytes: host.settings.user_quota_bytes,
      },
      mail: { is_configured: mail.isConfigured, ...facts.mail },
      dois: { is_configured: dois.isConfigured, ...facts.dois },
      backups: {
        last_success: last ? isoTime(last) : null,
        is_running: facts.backups.runs.some(({ ended }) => ended === null),
      },
      invitations: facts.invitations,
    };
  };
}
