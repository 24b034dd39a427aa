import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Failure } from "./failure.ts";
import { refusalOfHead } from "./request-head.ts";

export interface Listening {
  server: Server;
  port: number;
  /** Every answer from now on ends its connection, so that clients and proxies go elsewhere. */
  drain(): void;
  /** As `drain`, and accepts no more connections. */
  refuse(): void;
  /** As `refuse`, waits `graceMs` for open requests, then closes the remaining connections. */
  close(graceMs: number): Promise<void>;
}

const idleMs = 120_000;
/** Enough for a `q` of 8192 characters of any script, percent-encoded (search-and-conventions 2). */
const headBytes = 128 * 1024;
const sweepMs = 50;
/** How long a connection without a call may stay after a drain. */
const lingerMs = 500;

/** How long the head of a call may take, also the first one of a connection, and how often that is checked. */
const defaultWaits = { headersTimeout: 60_000, connectionsCheckingInterval: 5_000 };

/**
 * Starts an HTTP server. An upload may take any time, but a connection without traffic is closed.
 * @throws Failure `unavailable` when the port is in use or not permitted.
 */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  waits = defaultWaits,
): Promise<Listening> {
  const limits = { ...waits, requestTimeout: 0, keepAliveTimeout: 65_000, maxHeaderSize: headBytes };
  const requireHostHeader = false;
  // Some clients offer HTTP/2 with every call (`Upgrade: h2c`). Such a call is answered in HTTP/1.1.
  const shouldUpgradeCallback = (request: IncomingMessage): boolean =>
    server.listenerCount("upgrade") > 0 &&
    request.headers.upgrade?.toLowerCase() === "websocket" &&
    refusalOfHead(request) === undefined;
  const server: Server = createServer(
    { ...limits, requireHostHeader, shouldUpgradeCallback },
    drained(wellFormed(listener)),
  );
  // An unknown `Expect` header is ignored; Node would refuse it with an empty body.
  server.on("checkExpectation", (req, res) => void server.emit("request", req, res));
  server.timeout = idleMs;
  const busy = openAnswers(server);
  refuseUnreadable(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)));
    server.listen(port, host, () => resolve());
  });
  const { port: taken } = server.address() as AddressInfo;
  return { server, port: taken, ...endOf(server, busy) };
}

/** Refuses heads that no route should read; Node and Express would do so in their own form, or not at all. */
const wellFormed =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    const status = refusalOfHead(req);
    if (status === undefined) return listener(req, res);
    res.statusCode = status;
    res.shouldKeepAlive = false;
    res.setHeaders(new Map(Object.entries({ "Content-Type": "application/json", ...ownHeaders() })));
    res.end(JSON.stringify({ status, message: unreadableMessage }));
  };

/**
 * Reads and drops the rest of a request's body after the answer, since the next call on the connection follows it. Node
 * does so only for a body that nobody started to read.
 */
const drained =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    res.once("finish", () => {
      if (!req.readableEnded && !req.destroyed) req.resume();
    });
    return listener(req, res);
  };

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE")
    return new Failure(
      "unavailable",
      `Port ${port} on ${host} is already in use. Choose another one; 0 takes any that is free.`,
    );
  if (error.code === "EACCES") return new Failure("unavailable", `Port ${port} on ${host} may not be used.`);
  if (error.code === "ENOTFOUND" || error.code === "EAI_AGAIN") {
    return new Failure("unavailable", `There is no host named ${host}.`);
  }
  if (error.code === "EADDRNOTAVAIL") return new Failure("unavailable", `This machine has no address ${host}.`);
  return error;
}

const unreadableMessage = "The request could not be read.";
const ownHeaders = () => ({ "X-Request-ID": randomUUID(), "X-Content-Type-Options": "nosniff" });
const unreadable: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, "The head of the request is too large."],
  HPE_INVALID_URL: [400, "The address has characters that must be percent-encoded, such as %C3%BC for ü."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."],
};

/** Gives the refusals that Node itself sends the body of ours (search-and-conventions 10). */
function refuseUnreadable(server: Server): void {
  const answers = new WeakMap<object, ServerResponse>();
  server.on("request", ({ socket }, res) => answers.set(socket, res));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const current = answers.get(socket);
    // The last answer of the connection is on its way, and nothing may follow it.
    if (current?.writableEnded && !current.shouldKeepAlive) return;
    const isAnswerStarted = current?.headersSent === true && !current.writableEnded;
    if (!socket.writable || error.code === "ECONNRESET" || isAnswerStarted) {
      socket.destroy();
      return;
    }
    const [status, message] = unreadable[error.code ?? ""] ?? [400, unreadableMessage];
    const body = JSON.stringify({ status, message });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(ownHeaders()).map(([name, value]) => `${name}: ${value}`),
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}

/** The answers that each connection waits for; none for a connection that was never used. */
type OpenAnswers = Map<Socket, Set<ServerResponse>>;

function openAnswers(server: Server): OpenAnswers {
  const open: OpenAnswers = new Map();
  server.on("connection", (socket) => {
    open.set(socket, new Set());
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", ({ socket }, res) => {
    open.get(socket)?.add(res);
    res.once("close", () => open.get(socket)?.delete(res));
  });
  return open;
}

/** How a server stops: it asks clients to leave, refuses new ones, and closes. */
function endOf(server: Server, open: OpenAnswers): Pick<Listening, "drain" | "refuse" | "close"> {
  let closed: Promise<void> | undefined;
  let isDraining = false;
  let lingerUntil = 0;

  function drain(): void {
    if (isDraining) return;
    isDraining = true;
    for (const answers of open.values()) for (const res of answers) res.shouldKeepAlive = false;
    server.prependListener("request", (_req, res) => {
      res.shouldKeepAlive = false;
    });
  }

  function refuse(): Promise<void> {
    // A proxy may have connected a moment ago, and sends its call now.
    if (isDraining && closed === undefined) lingerUntil = performance.now() + lingerMs;
    drain();
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    return closed;
  }

  return {
    drain,
    refuse: () => void refuse(),
    async close(graceMs) {
      const ended = refuse();
      const closeUnused = () => {
        if (performance.now() < lingerUntil) return;
        for (const [socket, answers] of open) if (answers.size === 0) socket.destroy();
      };
      closeUnused();
      const sweep = setInterval(closeUnused, sweepMs);
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await ended;
      clearInterval(sweep);
      clearTimeout(timer);
    },
  };
}
