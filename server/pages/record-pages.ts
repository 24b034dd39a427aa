import type { Request } from "express";
import type { Services } from "../../shared/api.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { callerOf } from "../../shared/kernel/resource.ts";
import { mayReadRecord } from "../../shared/records/record.policy.ts";
import type { RecordBody } from "../../shared/records/record.presenter.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import type { ShownFile, ShownRecord, ShownVersion } from "./record-page.ts";
import { words } from "./words.ts";

export interface PageParts {
  host: Host;
  services: Services;
}

/** Another address has the page. */
export interface Redirect {
  to: string;
  status: 301 | 302;
}

export interface Seen {
  shown: ShownRecord;
}

const mostVersions = 20;

/** A link token opens the files of the page that it opened. */
function contentAddress(req: Request, base: string, key: string): string {
  const { token } = req.query;
  const query = typeof token === "string" ? `?token=${encodeURIComponent(token)}` : "";
  return `${base}/${encodeURIComponent(key)}/content${query}`;
}

const asPresented = (body: RecordBody) => ({ record: body as unknown as PresentedRecord, body });

/** Finds what pages show of records and drafts, with the services of the API and as the same caller. */
export function recordPages({ host, services }: PageParts) {
  const { records, bodies, access } = services;
  const { db } = host;
  const addressOf = (id: string): string => `${host.baseUrl}/records/${encodeURIComponent(id)}`;

  async function filesOf(req: Request, kind: "draft" | "record", id: string): Promise<ShownFile[]> {
    const base = `${host.baseUrl}/api/records/${id}${kind === "draft" ? "/draft" : ""}/files`;
    const entries = await records.listEntries(db, { kind, id });
    return entries
      .filter(({ status, hidden }) => status === "completed" && hidden === 0)
      .map(({ key, size }) => ({ key, size: size ?? 0, address: contentAddress(req, base, key) }));
  }

  async function versionsOf(req: Request, id: string): Promise<ShownVersion[]> {
    const all = await records.listVersions(db, callerOf(req), id);
    return all
      .map(({ record }) => ({
        record,
        metadata: JSON.parse(record.metadata) as { version?: string; publication_date?: string },
      }))
      .sort((a, b) => b.record.version_index - a.record.version_index)
      .slice(0, mostVersions)
      .map(({ record, metadata }) => ({
        id: record.id,
        label: words.version(metadata.version || String(record.version_index)),
        date: metadata.publication_date ?? "",
        address: addressOf(record.id),
      }));
  }

  async function published(req: Request, id: string): Promise<Seen> {
    const found = await records.require(db, callerOf(req), id);
    const body = await bodies.ofRecord(db, found.record, found.family);
    let files: ShownFile[] | undefined;
    try {
      records.assertMayReadFiles(found);
      files = await filesOf(req, "record", id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    const { level } = await access.of(db, anonymous, found.record.parent_id);
    const isPublic = mayReadRecord(found.access, level);
    return { shown: { ...asPresented(body), files, versions: await versionsOf(req, id), isDraft: false, isPublic } };
  }

  async function draft(req: Request, id: string): Promise<Seen> {
    const row = await records.findDraft(db, id);
    const family = await access.requireDraft(db, callerOf(req), row, "preview");
    const body = await bodies.ofDraft(db, row, family);
    const files = await filesOf(req, "draft", row.id);
    return { shown: { ...asPresented(body), files, versions: [], isDraft: true, isPublic: false } };
  }

  /** Looks for a record, then a draft, a family, and a former id. */
  async function any(req: Request, id: string): Promise<Seen | Redirect> {
    const found = await records.findRows(db, id);
    if (found.record) return published(req, id);
    if (found.draft) return draft(req, id);
    const latest = await records.latestOfParent(db, id);
    const inFamily = latest ?? (await records.nextDraftOf(db, id));
    const to = inFamily ?? (await records.movedTo(db, id));
    if (to === undefined) throw notFound();
    const query = req.originalUrl.split("?")[1];
    const address = `${addressOf(to)}${query === undefined ? "" : `?${query}`}`;
    return { to: address, status: inFamily === undefined ? 301 : 302 };
  }

  return {
    any,
    published,
    addressOf,
    draft: async (req: Request, id: string): Promise<Seen | Redirect> =>
      (await records.findRows(db, id)).draft ? draft(req, id) : any(req, id),
    /** The latest version's own address, so that each page has one address. */
    async latest(req: Request, id: string): Promise<Seen | Redirect> {
      if (!(await records.findRows(db, id)).record) return any(req, id);
      const { record } = await records.requireLatest(db, callerOf(req), id);
      return { to: addressOf(record.id), status: 302 };
    },
  };
}
