import type { Tries } from "../../sync/tries.ts";
import type { Account, Upstream } from "../../sync/upstream.ts";
import type { Budget } from "./budget.policy.ts";
import { invenioBytes } from "./bytes.ts";
import { Feed } from "./feed.ts";
import { type Machine, realMachine } from "./machine.ts";
import { Notifier } from "./notifier.ts";
import { openObject } from "./open-object.ts";
import { pageAfter, seqOf } from "./pages.ts";
import { passCall, shownFor } from "./pass-call.ts";
import { Poller } from "./poller.ts";
import { settingsOf } from "./profile.policy.ts";
import { RestLine } from "./rest-line.ts";
import { Site, type SiteOptions } from "./site.ts";
import { wordsAfter } from "./words.ts";
import { Attempts } from "./write/attempts.ts";
import { pushAll } from "./write/push-table.ts";
import { whenToSend } from "./write/when-to-send.ts";

/** A shorter wait for the server's limits is not worth a word. */
const noticedWaitMs = 10_000;

/** What the adapter needs from the replica. */
export interface InvenioOptions
  extends Pick<SiteOptions, "db" | "content" | "loadEntries" | "now" | "newClientId" | "newUuid"> {
  /** What is left of the server's limits. It outlives a connection. */
  limits: { budget: Budget };
  /** The tries of operations without a clear answer. They outlive a connection, too. */
  tries: Tries;
  /** Whether a window of the app is open. */
  hasWindow(): boolean;
  /** The network and the timers; those of this computer, if absent. */
  machine?: Machine;
}

/** An InvenioRDM or Zenodo over its public REST API: a small stand-in for a server with a feed. */
export function invenioServer(options: InvenioOptions, account: Account, signal: AbortSignal): Upstream {
  const { upstream: facts, server, user } = account;
  if (!facts) throw new Error("a Carrel server has a protocol of its own");
  const { limits, tries, hasWindow, machine = realMachine, ...rest } = options;
  const { name } = facts;
  const nowMs = () => options.now() / 1000;
  const notifier = new Notifier(machine.sleep);
  const line = new RestLine({
    account,
    signal,
    name,
    limits,
    nowMs,
    send: machine.send,
    onLost: () => notifier.notify(),
  });
  const own = { name, user, library: `${server}#${user.id}`, sleep: machine.sleep, onChange: () => notifier.notify() };
  const site = new Site({ ...rest, ...own, line });
  const poller = new Poller(site);
  const attempts = new Attempts(options.db, options.now, tries);
  const pressed = new Set<string>();
  const feed = new Feed({ site, poller, notifier, signal, nowMs, hasWindow });
  return {
    async probe() {
      await line.assertToken();
    },
    page: (cursor, waitSeconds) => feed.page(cursor, waitSeconds),
    wholePage: (cursor) => pageAfter(options.db, seqOf(cursor)),
    prefetch() {},
    sendsInTurn: true,
    push: (operations) => pushAll({ site, attempts, isPressed: (id) => pressed.has(id) }, operations),
    ...whenToSend(site, attempts, pressed),
    async prepare() {},
    open: (kind, id) => openObject(site, kind, id),
    bytes: invenioBytes(site),
    words: (cursor) => wordsAfter(site, cursor),
    settings: async () => ({ settings: settingsOf(facts.kind), base_url: server }),
    shownFor: (req, method) => shownFor(site, req, method),
    pass: (req, method, shown) => passCall(site, req, method, shown),
    liveAddress: async () => undefined,
    opened: (draftId) => poller.opened(draftId),
    lookNow() {
      poller.lookNow();
      notifier.notify();
    },
    slowedUntilMs() {
      const waitMs = line.waitMs("send");
      return waitMs > noticedWaitMs ? nowMs() + waitMs : undefined;
    },
    lastAnswerMs: () => (feed.failure === undefined ? line.lastAnswerMs : feed.lookedMs),
    lookFailure: () => feed.failure,
  };
}
