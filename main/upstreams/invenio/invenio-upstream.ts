import { Failure } from "../../../shared/kernel/failure.ts";
import { Unreachable } from "../../sync/transport.ts";
import type { Account, Upstream } from "../../sync/upstream.ts";
import { Bell } from "./bell.ts";
import type { Budget } from "./budget.policy.ts";
import { openObject } from "./open-object.ts";
import { pageAfter, seqOf } from "./pages.ts";
import { passRead } from "./pass-read.ts";
import { Poller } from "./poller.ts";
import { settingsOf } from "./profile.policy.ts";
import { RestLine, SlowedDown } from "./rest-line.ts";
import { Site, type SiteOptions } from "./site.ts";
import { wordsAfter } from "./words.ts";

/** Of the rest of the replica. */
export interface InvenioOptions
  extends Pick<SiteOptions, "db" | "content" | "loadEntries" | "now" | "newClientId" | "newUuid"> {
  /** What is left of the server's limits. It outlives a connection. */
  limits: { budget: Budget };
  /** Whether a window of the app is open. */
  hasWindow(): boolean;
}

/** How long a page waits while the limits leave no call for the first copy. */
const limitedMs = 2000;

/** An InvenioRDM or Zenodo over its public REST API: a small stand-in for a server with a feed. */
export function invenioServer(options: InvenioOptions, account: Account, signal: AbortSignal): Upstream {
  const { upstream: facts, server, user } = account;
  if (!facts) throw new Error("a Carrel server has a protocol of its own");
  const { limits, hasWindow, ...rest } = options;
  const { name } = facts;
  const nowMs = () => options.now() / 1000;
  const line = new RestLine({ account, signal, name, limits, nowMs });
  const bell = new Bell();
  const site = new Site({ ...rest, line, name, user, library: `${server}#${user.id}`, onHeard: () => bell.ring() });
  const poller = new Poller(site);
  let looking: Promise<void> | undefined;

  /** Looks around once. A server that asks for fewer calls is left alone. */
  async function look(): Promise<void> {
    try {
      await ((await poller.isCopying()) ? poller.copyStep() : poller.poll());
    } catch (error) {
      if (!(error instanceof SlowedDown)) throw error;
    }
  }

  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  const dueInMs = async (): Promise<number> =>
    line.isUp && !(await poller.isCopying()) ? (await poller.dueIn(hasWindow())) / 1000 : 0;

  return {
    async probe() {
      await line.assertToken();
    },
    async page(cursor, waitSeconds) {
      const from = seqOf(cursor);
      const endMs = Date.now() + waitSeconds * 1000;
      if ((await dueInMs()) === 0) await lookOnce();
      for (;;) {
        if (signal.aborted) throw new Unreachable("The connection was closed.");
        const isCopying = await poller.isCopying();
        const page = await pageAfter(options.db, from);
        const isNew = page.changes.length > 0 || (cursor === undefined && !isCopying);
        if (isNew) return { state: "page", page: { ...page, more: page.more || isCopying }, isPrefetched: false };
        if (isCopying && !line.mayCall("poll")) {
          await bell.wait(limitedMs, signal);
          return { state: "page", page: { ...page, more: true }, isPrefetched: false };
        }
        const leftMs = endMs - Date.now();
        if (isCopying || (await dueInMs()) === 0) await lookOnce();
        else if (leftMs > 0) await bell.wait(Math.min(leftMs, await dueInMs()), signal);
        if (leftMs <= 0 && !isCopying) return { state: "unchanged", isPrefetched: false };
      }
    },
    wholePage: (cursor) => pageAfter(options.db, seqOf(cursor)),
    prefetch() {},
    push: async () => [],
    async prepare() {},
    open: (kind, id) => openObject(site, kind, id),
    bytes: {
      has: async () => false,
      send: async () => {
        throw new Failure("unavailable", `Files cannot be sent to ${name} yet.`);
      },
      onSendFailed() {},
      read: async () => undefined,
    },
    words: (cursor) => wordsAfter(site, cursor),
    settings: async () => ({ settings: settingsOf(facts.kind), base_url: server }),
    pass: async (req, method) => passRead(site, req, method),
    liveAddress: async () => undefined,
    lookNow() {
      poller.lookNow();
      bell.ring();
    },
    slowedUntilMs: () => line.silentUntilMs,
  };
}
