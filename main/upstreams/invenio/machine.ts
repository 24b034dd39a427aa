import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { pipeline } from "node:stream/promises";
import { setTimeout as timer } from "node:timers/promises";

/** Bytes to send. */
export interface SentBytes {
  size: number;
  source: AsyncIterable<Uint8Array>;
  /** How long the server may take to answer after the last byte. */
  answerMs: number;
}

export interface OutgoingCall {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: Buffer | SentBytes | undefined;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** The network and the timers. A simulator has its own. */
export interface Machine {
  /** Sends a call once. @throws a network error */
  send(call: OutgoingCall): Promise<IncomingMessage>;
  /** Resolves after the given time, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

function send({ method, url, headers, body, timeoutMs, signal }: OutgoingCall): Promise<IncomingMessage> {
  const start = url.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = start(url, { method, headers, timeout: timeoutMs, ...(signal ? { signal } : {}) }, (incoming) => {
      incoming.once("end", () => request.writableFinished || request.destroy());
      resolve(incoming);
    });
    request.once("timeout", () => request.destroy(new Error("time-out")));
    request.on("error", reject);
    if (body === undefined || Buffer.isBuffer(body)) request.end(body);
    else {
      const { source, answerMs } = body;
      pipeline(source, request).then(
        () => request.setTimeout(answerMs),
        () => undefined,
      );
    }
  });
}

export const realMachine: Machine = {
  send,
  sleep: (ms, signal) => timer(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
};
