import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Machine, OutgoingCall } from "../../../../main/upstreams/invenio/machine.ts";
import type { Answer } from "../../../support/fake-invenio/call.ts";
import type { FakeSite } from "../../../support/fake-invenio/site.ts";
import type { FaultKind } from "../../../support/fake-invenio/switches.ts";
import type { VirtualEnvironment } from "../environment.ts";
import type { Faults } from "../faults.ts";
import type { CallWatch } from "./call-watch.ts";
import type { WatchedDesk } from "./watched-desk.ts";

export interface LineParts {
  site: FakeSite;
  faults: Faults;
  environment: VirtualEnvironment;
  watch: CallWatch;
  /** What the site does to the next call that writes. */
  badMoment: { kind: FaultKind | undefined };
  /** Somebody else acts on the site just before a call arrives. */
  meanwhile(): Promise<void>;
}

/** How long a call takes, in microseconds. */
const callMicros = 40_000;

/** What the site may do to a call, and how often, as a share of the rate of faults. */
const siteFaults: readonly [kind: FaultKind, weight: number][] = [
  ["refused-500", 0.15],
  ["done-but-500", 0.3],
  ["queue-down", 0.15],
  ["html-502", 0.15],
  ["too-many", 0.15],
];

const networkError = (code: string): Error => Object.assign(new Error(code), { code });

const asIncoming = ({ status, headers, body }: Answer): IncomingMessage =>
  Object.assign(Readable.from(body.length > 0 ? [body] : []), { statusCode: status, headers }) as never;

const escaped = (path: string): RegExp => new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);

async function bytesOf(body: OutgoingCall["body"]): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The way from one desk to the site: no network, virtual time, and the faults of both. */
export function simLine(
  desk: WatchedDesk,
  { site, faults, environment, watch, badMoment, meanwhile }: LineParts,
): Machine {
  function injectSiteFault(method: string, path: string): void {
    if (badMoment.kind !== undefined && method !== "GET") {
      site.switches.fault(badMoment.kind, method, escaped(path), 1);
      badMoment.kind = undefined;
      return;
    }
    for (const [kind, weight] of siteFaults) {
      if (!faults.strike(kind, weight)) continue;
      site.switches.fault(kind, method, escaped(path), 1);
      return;
    }
    if (method === "GET" || !faults.strike("late-504", 0.2)) return;
    site.switches.fault("late-504", method, escaped(path), 1, 1000 * (1 + faults.below(85)));
  }

  return {
    async send({ method, url, headers, body }) {
      environment.advance(callMicros);
      const bytes = await bytesOf(body);
      if (desk.isPartitioned) throw networkError("ECONNREFUSED");
      const answered = watch.sends(desk, method, url.pathname, bytes);
      if (faults.strike("client: killed before a call", 0.2)) return desk.die();
      if (faults.strike("request lost", 0.4)) throw networkError("ECONNRESET");
      if (faults.strike("somebody acts meanwhile", 0.5)) await meanwhile();
      injectSiteFault(method, url.pathname);
      const isCut = bytes.length > 1 && url.pathname.endsWith("/content") && faults.strike("upload cut");
      const call = { method, url: url.pathname + url.search, headers, address: "desk", isCut };
      watch.before(desk, call);
      const answer = await site.call({ ...call, body: isCut ? bytes.subarray(0, bytes.length / 2) : bytes });
      site.switches.clearFaults();
      const isLost = isCut || answer.isLost === true || faults.strike("answer lost");
      watch.after(desk, call, { ...answer, isLost });
      if (isLost) throw networkError("ECONNRESET");
      if (faults.strike("client: killed after a call", 0.3)) return desk.die();
      if (answer.status < 500) answered();
      return asIncoming(answer);
    },
    async sleep(ms) {
      environment.advance(Math.max(0, ms) * 1000);
    },
  };
}
