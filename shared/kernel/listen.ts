import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Failure } from "./failure.ts";

export interface Listening {
  server: Server;
  port: number;
  /** Stops taking requests, lets those under way finish for as long as said, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

const idleMs = 120_000;
/** Room for a `q` of 8192 characters of any script, percent-encoded (search-and-conventions 2). */
const headBytes = 128 * 1024;
const sweepMs = 50;

/**
 * Starts an HTTP server. A slow upload has no time limit as a whole; a connection on which nothing moves is closed.
 * @throws Failure `unavailable` in words when the port is in use or may not be used.
 */
export async function listen(listener: RequestListener, host: string, port: number): Promise<Listening> {
  const limits = { requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 65_000, maxHeaderSize: headBytes };
  const requireHostHeader = false;
  // Some clients offer HTTP/2 with every call (`Upgrade: h2c`): that is an ordinary request, answered in HTTP/1.1.
  const shouldUpgradeCallback = (request: IncomingMessage): boolean =>
    server.listenerCount("upgrade") > 0 && request.headers.upgrade?.toLowerCase() === "websocket";
  const server: Server = createServer(
    { ...limits, requireHostHeader, shouldUpgradeCallback },
    drained(hosted(listener)),
  );
  // An expectation that nobody knows may be passed over; Node would refuse it with an empty body.
  server.on("checkExpectation", (req, res) => void server.emit("request", req, res));
  server.timeout = idleMs;
  const busy = countRequests(server);
  refuseUnreadable(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)));
    server.listen(port, host, () => resolve());
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => close(server, busy, graceMs),
  };
}

/** HTTP/1.1 wants to be told the host; Node would refuse with an empty body. */
const hosted =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    if (req.headers.host !== undefined || req.httpVersion === "1.0") return listener(req, res);
    res.statusCode = 400;
    res.setHeaders(
      new Map(Object.entries({ "Content-Type": "application/json", Connection: "close", ...ownHeaders() })),
    );
    res.end(JSON.stringify({ status: 400, message: unreadableMessage }));
  };

/**
 * Reads and drops what an answer left of its request's body: the next call on the connection stands behind it. Node does
 * so only for a body that nobody began to read.
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
      `Port ${port} on ${host} is already in use. Choose another with --port, or --port 0.`,
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
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."],
};

/** What Node refuses before any route sees it is refused in the same shape (search-and-conventions 10). */
function refuseUnreadable(server: Server): void {
  const answers = new WeakMap<object, ServerResponse>();
  server.on("request", ({ socket }, res) => answers.set(socket, res));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const current = answers.get(socket);
    const isSaid = current?.headersSent === true && !current.writableEnded;
    if (!socket.writable || error.code === "ECONNRESET" || isSaid) {
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

/** How many requests are under way on each connection; one that was opened and never used has none. */
function countRequests(server: Server): Map<Socket, number> {
  const busy = new Map<Socket, number>();
  server.on("connection", (socket) => {
    busy.set(socket, 0);
    socket.once("close", () => busy.delete(socket));
  });
  server.on("request", ({ socket }, res) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    res.once("close", () => busy.has(socket) && busy.set(socket, (busy.get(socket) ?? 1) - 1));
  });
  return busy;
}

async function close(server: Server, busy: Map<Socket, number>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeUnused = () => {
    for (const [socket, requests] of busy) if (requests === 0) socket.destroy();
  };
  closeUnused();
  const sweep = setInterval(closeUnused, sweepMs);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
