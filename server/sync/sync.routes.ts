import type { Request, RequestHandler, Response, Router } from "express";
import { z } from "zod";
import type { Services } from "../../shared/api.ts";
import { libraryOf } from "../../shared/database/library.ts";
import { answer, answerNothing } from "../../shared/kernel/answer.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { checkCallerAgain } from "../../shared/kernel/caller-check.ts";
import { Failure, forbidden } from "../../shared/kernel/failure.ts";
import type { CommandHandler, Host } from "../../shared/kernel/host.ts";
import { bodyJsonLimits } from "../../shared/kernel/json-pieces.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { type ApiRouter, callerOf, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { sharedSettings } from "../../shared/settings/settings.schema.ts";
import { cursorHeader } from "../../shared/sync-protocol/feed.schema.ts";
import {
  deltaProtocolVersion,
  oldestProtocolVersion,
  protocolHeader,
  protocolVersion,
  reviewersProtocolVersion,
  terseProtocolVersion,
} from "../../shared/sync-protocol/protocol-version.ts";
import { pushRequest } from "../../shared/sync-protocol/push.schema.ts";
import { replicaRegistrationRequest } from "../../shared/sync-protocol/replica-registration.schema.ts";
import { version } from "../../shared/version.ts";
import { readVocabularyPage, vocabularyStart } from "../../shared/vocabularies/vocabulary-mirror.service.ts";
import { type ChangesService, changesService } from "./changes.service.ts";
import { type CursorService, cursorService, seqOf } from "./cursor.service.ts";
import { readEpoch } from "./epoch.repository.ts";
import { feedSignal } from "./feed-signal.ts";
import { leaseService } from "./id-lease.service.ts";
import { forOlderPeer, pageForOlderPeer } from "./older-peers.ts";
import { openService } from "./open.service.ts";
import { type PushService, pushService } from "./push.service.ts";
import { replicaService } from "./replica.service.ts";
import { SentBundles } from "./sent-bundles.ts";

/** An edit carries the old and the new value, each as large as a body, and its update. */
const pushLimitBytes = 64 * 1024 * 1024;
/** An edit names each value up to three times, with a path each. */
const pushJsonLimits = { members: 4 * bodyJsonLimits.members, bareBytes: 2 * bodyJsonLimits.bareBytes };

const changesQuery = z.object({
  cursor: z.string().optional(),
  /** The position of the last push, as in the next push. */
  known: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  wait: z.coerce.number().min(0).max(30).default(0),
  /** Requested when a delta does not match the replica's base. */
  whole: z.literal("1").optional(),
});
const vocabulariesQuery = z.object({
  cursor: z.string().default(vocabularyStart),
  limit: z.coerce.number().int().min(1).max(1000).default(250),
});
const leaseBody = z.object({ count: z.int().min(1).max(64) });
const openBody = z.object({ kind: z.enum(["record", "request", "user", "group"]), id: z.string() });

/** The signed-in caller's user id. @throws Failure 403 for an anonymous caller. */
function requireUser(caller: Caller): string {
  if (caller.userId === null) throw forbidden();
  return caller.userId;
}

const speaks = (req: Request, version: number): boolean => Number(req.headers[protocolHeader] ?? 1) >= version;

/** Answers that nothing changed with as few bytes as possible, because replicas poll several times a minute. */
function answerNoChanges(res: Response): void {
  for (const name of ["Date", "Carrel-Protocol"]) res.removeHeader(name);
  // A server that stops tells the client by this header to connect elsewhere.
  if (res.shouldKeepAlive) res.removeHeader("Connection");
  res.setHeader("Cache-Control", "private");
  answerNothing(res);
}

/** Answers 426 to a replica whose protocol version this server does not support (hosts-and-sync 6). */
const checkProtocol: RequestHandler = (req, res, next) => {
  res.setHeader("Carrel-Protocol", String(protocolVersion));
  const sent = req.headers[protocolHeader];
  if (sent !== undefined) {
    const version = Number(sent);
    const fits = version >= oldestProtocolVersion && version <= protocolVersion;
    if (!fits) {
      const who =
        version > protocolVersion ? "The server is older than this app" : "This app is too old for the server";
      throw new Failure(
        "upgrade_required",
        `${who} (protocol ${sent}; the server speaks ${protocolVersion}). Update it.`,
      );
    }
    if (speaks(req, terseProtocolVersion)) req.headers["accept-encoding"] ??= "gzip";
  }
  next();
};

export interface SyncRoutesOptions {
  host: Host;
  services: Services;
  handlers: Map<string, CommandHandler>;
  /** Ends waiting calls. */
  closing: AbortSignal;
}

/** Registration of replicas and leases of ids. */
function replicaRoutes(router: ApiRouter, host: Host): void {
  const [replicas, leases] = [replicaService(host), leaseService(host)];
  resource(router, "/api/sync/replicas", {
    POST: async (req, res) => {
      const userId = requireUser(callerOf(req));
      await answer(req, res, 200, {
        is_copy: await replicas.isCopy(userId, parse(replicaRegistrationRequest, req.body)),
      });
    },
  });
  resource(router, "/api/sync/leases", {
    POST: async (req, res) => {
      const userId = requireUser(callerOf(req));
      await answer(req, res, 201, { ids: await leases.lease(userId, parse(leaseBody, req.body).count) });
    },
  });
}

async function callerAgain(req: Request): Promise<Caller> {
  await checkCallerAgain(req);
  return callerOf(req);
}

/** Push and feed. */
function exchangeRoutes(
  router: ApiRouter,
  { push, changes, cursors }: { push: PushService; changes: ChangesService; cursors: CursorService },
): void {
  const lastSent = new SentBundles();
  resource(router, "/api/sync/push", {
    POST: {
      maxBytes: pushLimitBytes,
      jsonLimits: pushJsonLimits,
      isCodingTaken: true,
      handle: async (req, res) => {
        const caller = callerOf(req);
        requireUser(caller);
        const { operations, cursor, known } = parse(pushRequest, req.body);
        await cursors.assertOwn(cursor, known);
        const outcomes = await push.push(caller, operations, () => callerAgain(req));
        await answer(req, res, 200, { outcomes, position: await cursors.positionOf(outcomes) });
      },
    },
  });
  resource(router, "/api/sync/changes", {
    GET: async (req, res) => {
      const caller = callerOf(req);
      const userId = requireUser(caller);
      const { cursor, known, limit, wait, whole } = parse(changesQuery, req.query);
      await cursors.assertOwn(known);
      const current = await changes.page(caller, cursor, limit, wait * 1000, () => callerAgain(req));
      const page = speaks(req, reviewersProtocolVersion) ? current : pageForOlderPeer(current);
      const isNews = page.changes.length + page.applied.length + page.usage.length > 0;
      if (wait > 0 && !isNews && speaks(req, terseProtocolVersion)) return answerNoChanges(res);
      const after = cursor === undefined || whole ? undefined : seqOf(cursor);
      if (page.more) res.setHeader(cursorHeader, page.cursor);
      const isShort = speaks(req, deltaProtocolVersion);
      await answer(req, res, 200, isShort ? lastSent.withDeltas(userId, after, page) : page);
    },
  });
}

/** The sync API for replicas, under `/api/sync` (hosts-and-sync 6). */
export function syncRoutes(options: SyncRoutesOptions): Router {
  const { host } = options;
  const { access, requests, users, groups } = options.services;
  const push = pushService({ host, access, handlers: options.handlers });
  const { closing } = options;
  const signal = feedSignal(host, closing);
  const cursors = cursorService(host);
  const changes = changesService({ host, access, cursors, signal, closing });
  const open = openService({ host, access, requests, users, groups, signal });
  const router = routesAbout("sync");
  router.use("/api/sync", checkProtocol);
  replicaRoutes(router, host);
  resource(router, "/api/sync/hello", {
    GET: async (req, res) => {
      const id = requireUser(callerOf(req));
      const row = await users.find(host.db, id);
      const user = row && { id: row.id, username: row.username };
      const card = await open.includeSelf(callerOf(req));
      const epoch = await readEpoch(host.db);
      const protocol = { protocol: protocolVersion, oldest_protocol: oldestProtocolVersion };
      const place = { library: await libraryOf(host.db), epoch, base_url: host.baseUrl };
      await answer(req, res, 200, { version, ...protocol, user, card, ...place });
    },
  });
  resource(router, "/api/sync/settings", {
    GET: async (req, res) => {
      requireUser(callerOf(req));
      const settings = sharedSettings(host.settings);
      await answer(req, res, 200, { settings, base_url: host.baseUrl, library: await libraryOf(host.db) });
    },
  });
  exchangeRoutes(router, { push, changes, cursors });
  resource(router, "/api/sync/vocabularies", {
    GET: async (req, res) => {
      requireUser(callerOf(req));
      const { cursor, limit } = parse(vocabulariesQuery, req.query);
      await answer(req, res, 200, await readVocabularyPage(host.db, cursor, limit));
    },
  });
  resource(router, "/api/sync/open", {
    POST: async (req, res) => {
      const caller = callerOf(req);
      requireUser(caller);
      const { kind, id } = parse(openBody, req.body);
      const found = await open.open(caller, kind, id);
      const isOlder = !speaks(req, reviewersProtocolVersion);
      await answer(req, res, 200, isOlder ? forOlderPeer(found) : found);
    },
  });
  return router;
}
