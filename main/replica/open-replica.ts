import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import { commandHandlers, createApi, createServices, type Services } from "../../shared/api.ts";
import { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { createCommentDrafts } from "../../shared/comments/comment-draft.service.ts";
import { assertHost } from "../../shared/database/library.ts";
import { type Db, type OpenDatabase, openDatabase, transaction } from "../../shared/database/open.ts";
import { deskService } from "../../shared/desk/desk.service.ts";
import { localOwner } from "../../shared/desk/desk-owner.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { committedHints } from "../../shared/kernel/committed.ts";
import { type DataFolder, openDataFolder } from "../../shared/kernel/data-folder.ts";
import type { Environment } from "../../shared/kernel/environment.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import { assertDatabaseNotLost } from "../../shared/kernel/former-library.ts";
import { isHealthy } from "../../shared/kernel/health.ts";
import type { CommandHandler } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import type { FoundObject } from "../../shared/live-events/changed-objects.repository.ts";
import type { ChangedObject } from "../../shared/live-events/event-stream.ts";
import { presenceRoutes } from "../../shared/live-events/presence.routes.ts";
import { startIndexJob } from "../../shared/search/sqlite/index-job.ts";
import type { Settings } from "../../shared/settings/settings.schema.ts";
import { version } from "../../shared/version.ts";
import { deskRouters } from "../../shared/wiring/desk-routers.ts";
import { localPorts } from "../../shared/wiring/local-ports.ts";
import { project } from "../../shared/wiring/projection.ts";
import { recallClocks } from "../sync/clocks.ts";
import { DelayedConnect } from "../sync/delayed-connect.ts";
import { SyncEngine } from "../sync/engine.ts";
import { Keeper } from "../sync/keeper.ts";
import { forget, recall } from "../sync/person.repository.ts";
import { callerIn } from "../sync/person.ts";
import { PresenceClient } from "../sync/presence-client.ts";
import { rebaseEverything } from "../sync/rebase.ts";
import { rememberedSettings, SettingsMirror } from "../sync/settings-mirror.ts";
import { readStatus } from "../sync/status.ts";
import { storageRoutes } from "../sync/storage.routes.ts";
import { replicaSyncRoutes } from "../sync/sync.routes.ts";
import { TemplateMirror } from "../sync/template-mirror.ts";
import { TokenCipher } from "../sync/token-cipher.ts";
import { trayRoutes } from "../sync/tray.routes.ts";
import { createTray } from "../sync/tray.service.ts";
import { VocabularyMirror } from "../sync/vocabulary-mirror.ts";
import { WindowEvents } from "../sync/window-events.ts";
import { createUpstreams } from "../upstreams/upstreams.ts";
import { announceChanges } from "./announce-changes.ts";
import { appPages, isAppPath } from "./app-pages.ts";
import { Ballast } from "./ballast.ts";
import { noticeRestore } from "./folder-stamp.ts";
import { type LibraryRouteParts, libraryRoutes } from "./library.routes.ts";
import { listenOnLastPort } from "./listen-on-last-port.ts";
import { createLocalGuard, type LocalGuard } from "./local-guard.ts";
import { ensureLocalPerson } from "./local-person.repository.ts";
import { RemoteBlobStore } from "./remote-blob-store.ts";
import { ReplicaHost } from "./replica-host.ts";
import { replicaSteps } from "./replica-steps.ts";
import { endSalvage, salvageDatabase } from "./salvage.ts";
import { sessionRoutes } from "./session.routes.ts";
import { startDeskSweep } from "./sweep-desk.ts";

export interface ReplicaOptions {
  dataDir: string;
  port: number;
  environment: Environment;
  log: Logger;
  startPaused: boolean;
  /** Encrypts the tokens in the data folder; without it they are stored as plain text. */
  tokenKey?: string | undefined;
  /** Whether to move a damaged database away and create a new one with the readable unsent work. */
  isSalvage?: boolean;
  /** The largest reserve for a full disk, in bytes. */
  ballastBytes?: number;
  /** The guard of this address, if the process opened it before. */
  guard?: LocalGuard;
  /** Opens another library in place of this one, at the same address. */
  openOther?: (path: string) => void;
}

export interface RunningReplica {
  url: string;
  port: number;
  guard: LocalGuard;
  engine: SyncEngine;
  host: ReplicaHost;
  services: Services;
  contact: DelayedConnect;
  /** Rejects with a Failure once the database turns out to be damaged. */
  damaged: Promise<never>;
  close(): Promise<void>;
}

/**
 * Opens one user's data folder and serves their local `/api`, on the loopback only.
 * @throws Failure `unavailable`: folder in use or not writable, port taken, database damaged or newer.
 */
export async function openReplica(options: ReplicaOptions): Promise<RunningReplica> {
  const folder = openDataFolder(options.dataDir, "replica");
  if (folder.wasOpen.length > 0) {
    options.log.warn({ files: folder.wasOpen }, "other accounts of this computer could read the data: closed to them");
  }
  const undo: (() => Promise<void> | void)[] = [folder.release];
  try {
    const ballast = new Ballast(folder.path, options.ballastBytes);
    const database = await openOwn(folder, options);
    undo.unshift(database.close);
    const { db } = database;
    await assertHost(db, "replica", folder.path);
    await noticeRestore(db, folder, options.log);
    await ensureLocalPerson(db, options.environment.now());
    const disk = new DiskBlobStore(folder.blobs);
    await disk.prepare();
    let app: RequestListener = (_req, res) => res.writeHead(503).end();
    const listening = await listenOnLastPort((req, res) => app(req, res), folder.path, options.port);
    undo.unshift(() => listening.close(10_000));
    const url = `http://127.0.0.1:${listening.port}`;
    const { pictures } = folder;
    const found: Found = { db, disk, pictures, url, ballast, settings: await rememberedSettings(db) };
    const parts = assemble(options, found);
    await recallClocks(db, parts.host);
    const sweep = await startDeskSweep(parts.host, parts.services.uploads, options.log);
    undo.unshift(sweep.stop);
    const own = { db, engine: parts.engine, baseUrl: () => url };
    const guard = options.guard ?? createLocalGuard({ port: listening.port, isOpenPath: isAppPath });
    app = createApi({
      host: parts.host,
      services: parts.services,
      authenticate: async (req): Promise<Caller> => parts.callerOf(req),
      log: options.log,
      version,
      secret: folderSecret(folder.path),
      isHealthy: () => isHealthy(db, folder.blobs),
      before: [guard.handler],
      steps: [ballast.guard, ...replicaSteps({ ...own, ...parts, disk, project })],
      routers: replicaRouters(parts, { ...found, guard, location: folder.path, openOther: options.openOther }),
    });
    await begin(db, parts);
    undo.unshift(startIndexJob({ db, log: options.log }));
    undo.unshift(parts.services.pictures.close, parts.services.recordSearch.close);
    await parts.services.recordSearch.prepare(db);
    undo.unshift(async () => {
      parts.events.close();
      parts.presence.stop();
      await parts.contact.stop();
      await parts.keeper.stop();
      await parts.mirror.stop();
      await parts.operator.stop();
      await parts.templates.stop();
      await parts.engine.stop();
    });
    const { engine, host, services, contact } = parts;
    const damaged = database.examine();
    const { port } = listening;
    return { url, port, guard, engine, host, services, contact, damaged, close: () => closeAll(undo) };
  } catch (error) {
    await closeAll(undo);
    throw error;
  }
}

/** The replica's own routes, beside the API that it shares with the server. */
function replicaRouters(
  parts: ReturnType<typeof assemble>,
  {
    db,
    disk,
    ballast,
    guard,
    location,
    openOther,
  }: Pick<Found, "db" | "disk" | "ballast"> & LibraryRouteParts & { guard: LocalGuard },
) {
  const { host, services, handlers, engine, events } = parts;
  const commentDrafts = createCommentDrafts(db, ({ request }) =>
    events.sendChanges([{ kind: "comment-draft", id: request }]),
  );
  const { templates } = parts;
  const onChanged = (_owner: string, object: ChangedObject) => {
    events.sendChanges([object]);
    if (object.kind === "desk" && object.id === "templates") templates.changed();
  };
  const onShelfRead = (shelf: string) => void (shelf === "templates" && templates.looked());
  const notify = () => engine.notify();
  const tray = createTray({ host, services, commentDrafts, handlers: () => handlers, project, notify });
  return [
    sessionRoutes(guard),
    replicaSyncRoutes({ ...parts, disk, project }),
    storageRoutes({ db, disk, keeper: parts.keeper, location, reserved: () => ballast.bytes }),
    libraryRoutes({ location, openOther }),
    trayRoutes({ host, services, tray }),
    ...deskRouters({ host, services, commentDrafts, ownerOf: () => localOwner, onChanged, onShelfRead }),
    presenceRoutes(parts.presence),
    appPages(),
  ];
}

async function openOwn(folder: DataFolder, { isSalvage, environment }: ReplicaOptions): Promise<OpenDatabase> {
  const aside = `damaged-${environment.now()}`;
  endSalvage(folder, aside);
  if (isSalvage) return salvageDatabase(folder, aside);
  assertDatabaseNotLost(folder);
  return openDatabase(folder.database);
}

/** Applies work salvaged from a damaged database; work on objects of the server follows when these arrive. */
async function begin(
  db: Db,
  { engine, keeper, mirror, contact, handlers }: ReturnType<typeof assemble>,
): Promise<void> {
  const isSalvaged = await recall(db, "salvaged");
  if (isSalvaged) {
    await transaction(db, async (tx) => {
      await project(tx, await rebaseEverything(tx, handlers));
      await forget(tx, ["salvaged"]);
    });
  }
  await engine.start();
  await keeper.start();
  mirror.start();
  contact.start();
}

interface Found {
  db: ReplicaHost["db"];
  pictures: string;
  disk: DiskBlobStore;
  url: string;
  ballast: Ballast;
  settings: Settings;
}

function assemble(options: ReplicaOptions, found: Found) {
  const { db, disk, url } = found;
  const { environment, log } = options;
  const events = new WindowEvents(() => readStatus(db, engine, keeper));
  let handlers = new Map<string, CommandHandler>();
  const tokenCipher = new TokenCipher(options.tokenKey);
  const onChanged = (refs: ObjectRef[], before: FoundObject[]) =>
    void announceChanges(events, db, refs, before).catch((error: unknown) =>
      log.warn({ err: error }, "listeners could not be notified of the changes"),
    );
  const later = { host: () => host, services: () => services };
  const engine: SyncEngine = new SyncEngine({
    db,
    blobs: disk,
    host: () => host,
    handlers: () => handlers,
    project,
    tokenCipher,
    upstreams: createUpstreams({ db, log, ...later, hasWindow: () => events.hasListeners }),
    random: () => (environment.random(1)[0] ?? 0) / 255,
    startPaused: options.startPaused,
    makeRoom: (error) => found.ballast.giveBack(error),
    log,
    onChanged: (refs: ObjectRef[], before: FoundObject[] = []) => {
      host.announce(refs);
      keeper.notify();
      if (events.hasListeners) onChanged(refs, before);
    },
    hasListeners: () => events.hasListeners,
    onStatus: () => {
      events.announceStatus();
      for (const part of [mirror, operator, contact, presence, keeper, templates]) part.notify();
    },
  });
  const mirror: VocabularyMirror = new VocabularyMirror({ db, engine, log });
  const contact = new DelayedConnect({ db, engine, log, tokenCipher });
  const presence: PresenceClient = new PresenceClient({ engine, log, events });
  const templates: TemplateMirror = new TemplateMirror({ db, engine, log, events, desk: deskService(db) });
  const operator = new SettingsMirror({
    db,
    engine,
    log,
    apply: (settings) => {
      host.settings = settings;
    },
  });
  const blobs = new RemoteBlobStore({
    local: disk,
    engine: () => engine,
    ...{ db, host: later.host },
  });
  const keeper: Keeper = new Keeper({ db, engine, disk, blobs, log, events, now: () => host.now() });
  const host: ReplicaHost = new ReplicaHost({
    db,
    blobs,
    hints: committedHints(),
    baseUrl: url,
    settings: found.settings,
    environment,
    link: engine,
    notTakenOf: (at, draftId) => engine.connection.notTakenOf(at, draftId),
    project,
  });
  const services = createServices(host, localPorts(found.pictures));
  handlers = commandHandlers(services);
  const callerOf = callerIn(db);
  return { engine, host, services, handlers, events, presence, mirror, operator, templates, contact, keeper, callerOf };
}

async function closeAll(undo: (() => Promise<void> | void)[]): Promise<void> {
  for (const step of undo.splice(0)) await step();
}
