import type { RequestListener } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { RequestHandler, Router } from "express";
import type { Logger } from "pino";
import { type AccountServices, createAccountServices } from "../shared/accounts/account-services.ts";
import type { ServerDesk } from "../shared/administration/server-desk.ts";
import { commandHandlers, createApi, createServices, type Ports, type Services } from "../shared/api.ts";
import { dropUnknownUploads } from "../shared/blobs/sweep.ts";
import { createCommentDrafts } from "../shared/comments/comment-draft.service.ts";
import { isPostgres } from "../shared/database/dialect.ts";
import { claimForServer } from "../shared/database/library.ts";
import type { Db } from "../shared/database/open.ts";
import { callerOwns } from "../shared/desk/desk-owner.ts";
import { system } from "../shared/kernel/caller.ts";
import { committedHints } from "../shared/kernel/committed.ts";
import type { DataFolder } from "../shared/kernel/data-folder.ts";
import type { Environment } from "../shared/kernel/environment.ts";
import { folderSecret } from "../shared/kernel/folder-secret.ts";
import { isHealthy } from "../shared/kernel/health.ts";
import type { Host } from "../shared/kernel/host.ts";
import { type Listening, listen } from "../shared/kernel/listen.ts";
import { presenceRoutes } from "../shared/live-events/presence.routes.ts";
import { startIndexJob } from "../shared/search/sqlite/index-job.ts";
import { defaultSettings, type Settings } from "../shared/settings/settings.schema.ts";
import { version } from "../shared/version.ts";
import { deskRouters } from "../shared/wiring/desk-routers.ts";
import { localPorts } from "../shared/wiring/local-ports.ts";
import { sharedPorts } from "../shared/wiring/shared-ports.ts";
import { accessRequestPages } from "./access-requests/access-request-pages.routes.ts";
import { guestMailService } from "./access-requests/guest-mail.service.ts";
import { accountMailService } from "./accounts/account-mail.service.ts";
import { accountPageRouters } from "./accounts/link-pages.routes.ts";
import { writeServerAddress } from "./accounts/server-address.ts";
import { administrationDesk } from "./administration-desk.ts";
import { appPages } from "./app-pages.ts";
import { serverAuthenticate } from "./authenticate.ts";
import { authorityHost } from "./authority-host.ts";
import { backupService } from "./backups/backups.service.ts";
import { linkProcesses } from "./commit-watch.ts";
import { cors } from "./cors.ts";
import { databaseClock } from "./database-clock.ts";
import { type DeskEventsOptions, deskEvents } from "./desk-events.ts";
import { startDoiRegistration } from "./doi/start-doi-registration.ts";
import { departure } from "./draining.ts";
import { startEmbargoJob } from "./embargo-job.ts";
import { startExpiry } from "./expiry.ts";
import { startFeedTurnJob } from "./feed-turn-job.ts";
import { renderedContent } from "./file-pages/rendered-content.ts";
import { folderLink } from "./folder-link.ts";
import { collectionSets } from "./harvest/collection-sets.ts";
import { serverProjection } from "./harvest/harvest.projection.ts";
import { startHarvestJob } from "./harvest/harvest-job.ts";
import { harvestRouters } from "./harvest/harvest-routers.ts";
import { startMail } from "./mail/start-mail.ts";
import type { ServerMetrics } from "./metrics/server-metrics.ts";
import { sumBlobs } from "./metrics/stored-bytes.repository.ts";
import { assignBucket, type OpenBlobs, openBlobs } from "./open-blobs.ts";
import { isSharedServer, openFolder } from "./open-folder.ts";
import { type OpenRows, openRows } from "./open-rows.ts";
import { pageFront } from "./page-front.ts";
import { recordPageRouters } from "./page-routers.ts";
import { failurePages } from "./pages/page-answer.ts";
import { warnOfProxy } from "./proxy-warning.ts";
import { rateLimited } from "./rate-limit.ts";
import { strictTransport } from "./strict-transport.ts";
import { startSweepJob } from "./sweep-job.ts";
import { feedSignal } from "./sync/feed-signal.ts";
import { recordFeedStart } from "./sync/feed-starts.service.ts";
import { liveRoutes } from "./sync/live/live.routes.ts";
import { liveDocuments } from "./sync/live/live-documents.ts";
import { syncRoutes } from "./sync/sync.routes.ts";
import { startUsageJob } from "./usage-job.ts";

/** Functions that close each part, in reverse order of opening. */
type Undo = (() => Promise<void> | void)[];

export interface ServerOptions {
  dataDir: string;
  hostName: string;
  /** 0: any free port. */
  port: number;
  /** Start of absolute links; the listening address if absent. */
  baseUrl?: string;
  settings: Settings;
  environment: Environment;
  /** Takes the time from a database that machines with clocks of their own use, instead of `environment`. */
  isTimedByDatabase?: boolean;
  /** Measures the process. */
  metrics?: ServerMetrics | undefined;
  log: Logger;
  /** The built app; that of this Carrel by default. */
  appFolder?: string;
  /** One of several server processes on this data folder. */
  isShared?: boolean;
  /** Address of a PostgreSQL database for the rows. The data folder, which is then shared, holds the bytes. */
  database?: string | undefined;
  /** Address of a bucket for the bytes. */
  blobs?: string | undefined;
  /** Address of OpenSearch, in which records are searched; absent: in the index of the rows. */
  search?: string | undefined;
}

export interface RunningServer {
  url: string;
  host: Host;
  services: Services;
  listening: Listening;
  /** Rejects if the database turns out to be damaged, or has lost commits. */
  damaged: Promise<never>;
  /**
   * Finishes requests under way (10 s at most), then closes everything.
   * @param drainMs so long it still answers all calls, while `/readyz` says that it leaves. 0 by default.
   */
  close(drainMs?: number): Promise<void>;
}

/**
 * Opens a data folder and serves it.
 * @throws Failure `unavailable`: folder in use or not writable, port taken, database damaged or newer.
 */
export async function openServer(given: ServerOptions): Promise<RunningServer> {
  const isShared = isSharedServer(given);
  const folder = openFolder(given);
  const undo: Undo = [folder.release];
  try {
    const database = await openRows(folder, { mayBeNewer: isShared, address: given.database });
    undo.unshift(database.close);
    await claimForServer(database.db, folder.path);
    const options = await timed(undo, given, database);
    const bytes = await openBytes(undo, options, folder, database.db);
    let app: RequestListener = (_req, res) => res.writeHead(503).end();
    const listening = await listen((req, res) => app(req, res), options.hostName, options.port);
    undo.unshift(() => listening.close(10_000));
    const closing = new AbortController();
    const url = `http://${options.hostName.includes(":") ? `[${options.hostName}]` : options.hostName}:${listening.port}`;
    const { environment, settings, log } = options;
    const baseUrl = (options.baseUrl ?? url).replace(/\/+$/, "");
    const onUnrecorded = (err: unknown): void => log.error({ err }, "a refusal is missing in the audit log");
    const ports = { db: database.db, blobs: bytes.store, hints: committedHints(), project: projectionOf(options) };
    // At once, since a migration waits for processes that are linked, and building an index takes long.
    const others = isShared ? { link: () => folderLink(database.db, log), ...database } : database;
    const link = await linkProcesses(undo, others, ports.hints, log);
    const host = authorityHost({ ...ports, sharesDatabase: isShared, baseUrl, settings, environment, onUnrecorded });
    const ownPorts = () =>
      isShared ? sharedPorts(host, folder.pictures, database.searchIndex()) : localPorts(folder.pictures);
    const services = createServices(host, { ...ownPorts(), ...(await searchPort(host, options)) });
    undo.unshift(services.pictures.close);
    await recordStart(host);
    if (!isShared) await dropUnknownUploads(host);
    const expiry = startExpiry(host, services.requestActions, log);
    undo.unshift(expiry.stop);
    const secret = folderSecret(folder.path);
    const accounts = createAccountServices(host, services, secret);
    const desk = startJobs(undo, { host, services, accounts, secret, log, dataDir: folder.path });
    undo.unshift(services.recordSearch.close);
    await services.recordSearch.prepare(database.db);
    const live = liveDocuments({ host, access: services.access, log, link, edit: services.edits.edit });
    undo.unshift(live.close);
    listening.server.on("upgrade", live.upgrade);
    const leaving = departure({ db: database.db, bytes, listening, closing });
    const front = pageFront(host, { usage: services.usage, appFolder: options.appFolder }, undo);
    app = createApi({
      ...{ host, services, desk, log, version, secret },
      authenticate: front.charged(rateLimited(serverAuthenticate({ host, ...services }), settings.rate_limit)),
      before: [...firstSteps(host, options), renderedContent(host, services.lookup), expiry.onAccess, ...front.before],
      isHealthy: () => isHealthy(database.db, bytes.folder),
      serve: leaving.serve,
      routers: [
        leaving.routes,
        syncRoutes({ host, services, handlers: commandHandlers(services), closing: closing.signal }),
        liveRoutes(live.tickets),
        ...appRouters(host, { services, participants: live.participants, closing: closing.signal, link }),
        ...pageRouters(options, { host, services, accounts, secret, log }),
      ],
      onError: failurePages(host),
    });
    undo.unshift(() => leaving.stopAnswering(live));
    options.metrics?.watch({ ...leaving, live: live.counts, ...measured(desk, host), dataDir: folder.path });
    const close = (drainMs = 0) => leaving.announce(drainMs).then(() => closeAll(undo));
    return { url, host, services, listening, damaged: database.examine(), close };
  } catch (error) {
    await closeAll(undo);
    throw error;
  }
}

/** The index of an engine, which is loaded only where it is used. */
async function searchPort(host: Host, { search, log }: ServerOptions): Promise<Pick<Ports, "searchIndex"> | undefined> {
  if (search === undefined) return undefined;
  const { openSearchIndex } = await import("./opensearch/opensearch-index.ts");
  const { now, newUuid } = host;
  return {
    searchIndex: openSearchIndex({ address: search, log, now, newUuid, isShared: host.abilities.sharesDatabase }),
  };
}

/** What the metrics count in the database. */
const measured = ({ mail, dois }: ServerDesk, { db }: Host) => ({
  mail: mail.counts,
  dois: dois.counts,
  stored: () => sumBlobs(db),
});

/** What stands before every route. */
const firstSteps = ({ baseUrl, settings }: Host, { metrics, log }: ServerOptions): RequestHandler[] => [
  ...(metrics ? [metrics.observe] : []),
  strictTransport({ baseUrl }),
  warnOfProxy(log, settings.trust_proxy !== undefined),
  cors(settings.cors_origins),
];

/** The options, with the clock of the database if it is to be used and has one. */
async function timed(undo: Undo, options: ServerOptions, { readClock }: OpenRows): Promise<ServerOptions> {
  if (!options.isTimedByDatabase || readClock === undefined) return options;
  const { environment, follow } = await databaseClock(readClock, options.environment);
  undo.unshift(follow(options.log));
  return { ...options, environment };
}

/** Opens the bytes where they are, or where they are to be from now on. */
async function openBytes(undo: Undo, options: ServerOptions, folder: DataFolder, db: Db): Promise<OpenBlobs> {
  if (options.blobs !== undefined) await assignBucket(db, options.blobs);
  const bytes = await openBlobs(folder, db, () => options.environment.now());
  undo.unshift(bytes.close);
  await bytes.prepare();
  return bytes;
}

function projectionOf({ environment, settings }: ServerOptions) {
  const now = () => environment.now();
  return serverProjection({ now, collections: collectionSets(settings, now) });
}

interface AppParts extends Pick<DeskEventsOptions, "participants" | "closing" | "link"> {
  services: Services;
}

/** What the app asks of the server beside the common API. */
function appRouters(host: Host, { services, participants, closing, link }: AppParts): Router[] {
  const { access } = services;
  const events = deskEvents({ host, access, participants, closing, link, signal: feedSignal(host, closing) });
  const commentDrafts = createCommentDrafts(host.db, ({ owner, request }) =>
    events.announce(owner, { kind: "comment-draft", id: request }),
  );
  const parts = { host, services, commentDrafts, ownerOf: callerOwns, onChanged: events.announce };
  return [events.routes, presenceRoutes(participants), ...deskRouters(parts)];
}

/** Everything outside `/api`. The app stands first: its pages are for users with a session. */
function pageRouters({ appFolder }: ServerOptions, parts: Omit<JobParts, "dataDir">): Router[] {
  const forms = [...accessRequestPages(parts), ...accountPageRouters(parts)];
  return [appPages(parts.host, appFolder), ...recordPageRouters(parts), ...harvestRouters(parts), ...forms];
}

interface JobParts {
  host: Host;
  services: Services;
  accounts: AccountServices;
  secret: Uint8Array;
  log: Logger;
  dataDir: string;
}

/** Starts the work in the background. @returns what administrators see of it. */
function startJobs(undo: Undo, { host, services, accounts, secret, log, dataDir }: JobParts): ServerDesk {
  const { smtp, datacite } = host.settings;
  const backups = backupService({ host, dataDir, log });
  undo.unshift(backups.stop);
  const links = accounts.accountLinks;
  const accountMail = accountMailService({ host, users: services.users, links, backupFailure: backups.failureOf });
  const guestMail = guestMailService({ host, questions: services.accessRequests.questions, secret });
  if (smtp) undo.unshift(startMail({ host, services, smtp, log, accountMail, guestMail }));
  if (datacite) undo.unshift(startDoiRegistration({ host, services, account: datacite, log }));
  undo.unshift(startEmbargoJob(host, services.embargoes, log).stop);
  undo.unshift(startSweepJob(host, services, log).stop);
  undo.unshift(startUsageJob(services.usage, log));
  if (isPostgres(host.db)) undo.unshift(startFeedTurnJob(host, log).stop);
  else undo.unshift(startIndexJob({ db: host.db, log }));
  const harvest = startHarvestJob(host, collectionSets(host.settings, host.now), log);
  services.collections.onChanged(() => void harvest.run());
  undo.unshift(harvest.stop);
  return administrationDesk({ host, services, dataDir, backups });
}

/** Notes the start in the audit log, and what commands need to know of the running server. */
async function recordStart(host: Host): Promise<void> {
  const { db, baseUrl, settings } = host;
  await host.audit(db, system, { action: "server.start", details: { version, settings: settingNames(settings) } });
  await writeServerAddress(db, { baseUrl, sendsMail: settings.smtp !== undefined });
  await recordFeedStart(db, host.newToken().slice(0, 6));
}

/** Names of settings that differ from the default, for the audit log. No values, since some are passwords. */
const settingNames = (settings: Settings): string[] =>
  Object.entries(settings).flatMap(([name, value]) =>
    isDeepStrictEqual(value, defaultSettings[name as keyof Settings]) ? [] : [name],
  );

async function closeAll(undo: Undo): Promise<void> {
  for (const step of undo.splice(0)) await step();
}
