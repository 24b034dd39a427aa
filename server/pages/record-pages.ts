import type { Request, Response } from "express";
import { isAtLeast } from "../../shared/access/level.policy.ts";
import type { Services } from "../../shared/api.ts";
import { anonymous, isSuperuser } from "../../shared/kernel/caller.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { callerOf } from "../../shared/kernel/resource.ts";
import { sentQuery } from "../../shared/kernel/sent-query.ts";
import { mayReadRecord } from "../../shared/records/record.policy.ts";
import type { RecordBody } from "../../shared/records/record.presenter.ts";
import { presented } from "../../shared/representations/presented-record.ts";
import { edtfInWords } from "../../shared/representations/ui.ts";
import type { ShownFile } from "./file-rows.ts";
import { answerPage } from "./page-answer.ts";
import type { Page } from "./page-frame.ts";
import { deletedPage, refusedPage, type ShownTombstone, unknownPage, type WaysOn } from "./plain-pages.ts";
import type { ShownRecord, ShownVersion } from "./shown-record.ts";
import { words } from "./words.ts";

export interface PageParts {
  host: Host;
  services: Services;
}

/** The page is at another address. */
export interface Redirect {
  to: string;
  status: 301 | 302;
}

export interface ShownFound {
  shown: ShownRecord;
}

/** Passes the access link's token on to the links of the page, so that they work too. */
function tokenQuery({ query: { token } }: Request): string {
  return typeof token === "string" ? `?token=${encodeURIComponent(token)}` : "";
}

const encodedPath = (key: string): string => key.split("/").map(encodeURIComponent).join("/");

/** The page for an object that is deleted, forbidden to this caller, or unknown. Throws any other error again. */
function refusalPage(
  error: unknown,
  ways: WaysOn,
  restoreLink: string | undefined,
  requestId: string,
): { status: number; page: Page } {
  if (!(error instanceof Failure)) throw error;
  if (error.kind === "gone") {
    return { status: 410, page: deletedPage((error.extra.tombstone ?? {}) as ShownTombstone, restoreLink) };
  }
  if (error.kind === "forbidden") return { status: 403, page: refusedPage(requestId, ways) };
  if (error.kind === "not_found") return { status: 404, page: unknownPage(requestId) };
  throw error;
}

/** The sign-in page, which leads back to this address; undefined for a signed-in user. */
const signInLinkOf = (req: Request): string | undefined =>
  callerOf(req).userId === null ? `/sign-in?next=${encodeURIComponent(req.originalUrl)}` : undefined;

/** The page where a superuser restores a deleted record; undefined for everybody else. */
function restoreLinkOf(req: Request): string | undefined {
  const caller = callerOf(req);
  const [record] = /^\/records\/[^/]+/.exec(req.path) ?? [];
  return record && caller.via === "session" && isSuperuser(caller) ? `/me${record}` : undefined;
}

/**
 * Runs `make`, which sends the page. If it is refused, sends a page with the reason; to programs, the error as JSON.
 * @param appLink address of the object in the app.
 */
export async function answerWithRefusals(
  host: Host,
  req: Request,
  res: Response,
  make: () => Promise<void>,
  appLink?: string,
): Promise<void> {
  try {
    await make();
  } catch (error) {
    const isForProgram = res.locals.produces === undefined && !req.accepts("html");
    if (res.headersSent || isForProgram) throw error;
    const requestId = String(res.getHeader("X-Request-ID") ?? "");
    const { readableRecord: record } = res.locals;
    const [signIn, isSignedIn] = [signInLinkOf(req), callerOf(req).userId !== null];
    const ways = { app: appLink, signIn, isSignedIn, ...(typeof record === "string" ? { record } : {}) };
    const { status, page } = refusalPage(error, ways, restoreLinkOf(req), requestId);
    await answerPage(host, req, res, status, page);
  }
}

const asPresented = (body: RecordBody) => ({ record: presented(body), body });

/** The completed files of a record or draft that are not hidden. */
async function filesOf(
  { host, services }: PageParts,
  req: Request,
  kind: "draft" | "record",
  id: string,
): Promise<ShownFile[]> {
  const base = `${host.baseUrl}/api/records/${id}${kind === "draft" ? "/draft" : ""}/files`;
  const entries = await services.records.listEntries(host.db, { kind, id });
  return entries
    .filter(({ status, hidden }) => status === "completed" && hidden === 0)
    .map(({ key, size, sha256 }) => ({
      key,
      size: size ?? 0,
      ...(sha256 === null ? {} : { sha256 }),
      address: `${base}/${encodeURIComponent(key)}/content${tokenQuery(req)}`,
      ...(kind === "record" ? { page: `${recordAddress(host, id)}/files/${encodedPath(key)}${tokenQuery(req)}` } : {}),
    }));
}

const recordAddress = ({ baseUrl }: Host, id: string): string => `${baseUrl}/records/${encodeURIComponent(id)}`;

/** The expiry of the access link without which the caller could not see the page; undefined if they need none. */
async function neededLink(
  { host, services }: PageParts,
  req: Request,
  parentId: string,
): Promise<{ until: string | undefined } | undefined> {
  const caller = callerOf(req);
  const [link] = await services.access.linksOf(host.db, caller, parentId);
  if (!link) return undefined;
  const withoutLink = await services.access.of(host.db, { ...caller, linkTokens: [] }, parentId);
  const withLink = await services.access.of(host.db, caller, parentId);
  return withoutLink.level === withLink.level ? undefined : { until: link.expires_at ?? undefined };
}

/** What a signed-in user may do besides reading; undefined for everybody who may only read. */
async function ownRights(
  { host, services }: PageParts,
  req: Request,
  parentId: string,
): Promise<{ mayManage: boolean } | undefined> {
  const caller = callerOf(req);
  if (caller.via !== "session") return undefined;
  // A link opens the page, but not the app.
  const { level } = await services.access.of(host.db, { ...caller, linkTokens: [] }, parentId);
  return isAtLeast(level, "edit") ? { mayManage: isAtLeast(level, "manage") } : undefined;
}

/** The parts of the page that differ by caller. */
async function callerParts(
  parts: PageParts,
  req: Request,
  parentId: string,
): Promise<Pick<ShownRecord, "link" | "own" | "hasOtherLinks">> {
  const [link, own] = [await neededLink(parts, req, parentId), await ownRights(parts, req, parentId)];
  const hasOtherLinks = !link && callerOf(req).linkTokens.length > 0;
  return { ...(link ? { link } : {}), ...(own ? { own } : {}), ...(hasOtherLinks ? { hasOtherLinks } : {}) };
}

/** Reads records and drafts for their pages, through the API's services and with the caller's rights. */
export function recordPages(parts: PageParts) {
  const { host, services } = parts;
  const { records, bodies, access } = services;
  const { db } = host;
  const addressOf = (id: string): string => recordAddress(host, id);

  async function versionsOf(req: Request, id: string): Promise<ShownVersion[]> {
    const all = await records.listVersions(db, callerOf(req), id);
    return all
      .map(({ record }) => ({
        record,
        metadata: JSON.parse(record.metadata) as { version?: string; publication_date?: string },
      }))
      .sort((a, b) => b.record.version_index - a.record.version_index)
      .map(({ record, metadata }) => ({
        id: record.id,
        label: words.version(metadata.version || String(record.version_index)),
        date: edtfInWords(metadata.publication_date ?? "", "medium", words.language),
        address: addressOf(record.id),
      }));
  }

  async function published(req: Request, id: string): Promise<ShownFound> {
    const found = await records.require(db, callerOf(req), id);
    const body = await bodies.ofRecord(db, found.record, found.family);
    let files: ShownFile[] | undefined;
    try {
      records.assertMayReadFiles(found);
      files = await filesOf(parts, req, "record", id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    const { level } = await access.of(db, anonymous, found.record.parent_id);
    const isPublic = mayReadRecord(found.access, level);
    const extras = await callerParts(parts, req, found.record.parent_id);
    const versions = await versionsOf(req, id);
    return { shown: { ...asPresented(body), files, versions, isDraft: false, isPublic, ...extras } };
  }

  async function draft(req: Request, id: string): Promise<ShownFound> {
    const row = await records.findDraft(db, id);
    const family = await access.requireDraft(db, callerOf(req), row, "preview");
    const body = await bodies.ofDraft(db, row, family);
    const files = await filesOf(parts, req, "draft", row.id);
    const shown = { ...asPresented(body), files, versions: [], isDraft: true, isPublic: false };
    return { shown: { ...shown, ...(await callerParts(parts, req, row.parent_id)) } };
  }

  /** Looks up the id of a record, then of a draft, of a family, and of an object that has another id now. */
  async function any(req: Request, id: string): Promise<ShownFound | Redirect> {
    const found = await records.findRows(db, id);
    if (found.record) return published(req, id);
    if (found.draft) return draft(req, id);
    const latest = await records.latestOfParent(db, id);
    const inFamily = latest ?? (await records.nextDraftOf(db, id));
    const to = inFamily ?? (await records.movedTo(db, id));
    if (to === undefined) throw notFound();
    return { to: `${addressOf(to)}${sentQuery(req)}`, status: inFamily === undefined ? 301 : 302 };
  }

  return {
    any,
    published,
    addressOf,
    draft: async (req: Request, id: string): Promise<ShownFound | Redirect> =>
      (await records.findRows(db, id)).draft ? draft(req, id) : any(req, id),
    /** Redirects to the latest version's own address, so that each page has one address. */
    async latest(req: Request, id: string): Promise<ShownFound | Redirect> {
      if (!(await records.findRows(db, id)).record) return any(req, id);
      const { record } = await records.requireLatest(db, callerOf(req), id);
      return { to: `${addressOf(record.id)}${sentQuery(req)}`, status: 302 };
    },
  };
}
