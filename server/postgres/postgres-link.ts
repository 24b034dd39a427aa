import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { ProcessLink } from "../process-link.ts";
import { holdVersion } from "./schema-version.ts";

/** How operators see the connection in `pg_stat_activity`. */
const linkName = "carrel link";
const channel = "carrel";
/** Messages of this time go together: each notification makes the commits of the whole server queue for a moment. */
const gatherMs = 20;
const againMs = 1000;
/** PostgreSQL takes 8,000. */
const maxBytes = 7_900;

/**
 * Links the processes by `LISTEN` and `NOTIFY`, over a connection of its own. While that is broken it connects again; the
 * commit watch polls meanwhile.
 */
export function postgresLink(address: string): ProcessLink {
  const own = randomUUID();
  const listeners = new Map<string, ((message: unknown) => void)[]>();
  const gapListeners: (() => void)[] = [];
  const stopping = new AbortController();
  let client: Client | undefined;
  let waiting: string[] = [];

  function receive(payload: string | undefined): void {
    const [from, subject, message] = JSON.parse(payload ?? "[]") as [string, string, unknown];
    if (from !== own) for (const listener of listeners.get(subject) ?? []) listener(message);
  }

  /** Resolves when the connection has ended. */
  async function listen(): Promise<void> {
    const one = new Client({
      connectionString: address,
      application_name: linkName,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    const ended = new Promise<void>((resolve) => {
      one.on("error", () => resolve());
      one.once("end", () => resolve());
    });
    const end = () => void one.end().catch(() => undefined);
    stopping.signal.addEventListener("abort", end, { once: true });
    try {
      // When it is ended while it connects, only the event says so.
      await Promise.race([one.connect(), ended]);
      if (stopping.signal.aborted) return;
      one.on("notification", ({ payload }) => receive(payload));
      await one.query(`listen ${channel}`);
      await one.query("set synchronous_commit = off");
      await holdVersion(one);
      client = one;
      for (const listener of gapListeners) listener();
      await ended;
    } finally {
      client = undefined;
      stopping.signal.removeEventListener("abort", end);
      await one.end().catch(() => undefined);
    }
  }

  async function keepListening(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listen().catch(() => undefined);
      await delay(againMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
    }
  }

  function send(): void {
    const messages = waiting;
    waiting = [];
    // A message that is lost while the connection is broken is read from the database by those whom it concerns.
    client
      ?.query(`select pg_notify('${channel}', message) from json_array_elements_text($1::json) as message`, [
        JSON.stringify(messages),
      ])
      .catch(() => undefined);
  }

  const listening = keepListening();
  return {
    send(subject, message) {
      const text = JSON.stringify([own, subject, message]);
      if (Buffer.byteLength(text) > maxBytes || waiting.includes(text)) return;
      if (waiting.length === 0) setTimeout(send, gatherMs).unref();
      waiting.push(text);
    },
    onMessage: (subject, listener) => void listeners.set(subject, [...(listeners.get(subject) ?? []), listener]),
    onGap: (listener) => void gapListeners.push(listener),
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}
