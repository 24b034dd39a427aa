import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { must } from "./files.ts";
import { HttpClient } from "./http-client.ts";
import { receivedBody } from "./received-body.ts";
import { newReplica } from "./two-replicas.ts";
import { until } from "./until.ts";

/** A call as the server received it. */
export interface Received {
  method: string;
  url: string;
  path: string;
  authorization: string | undefined;
  body: string;
}

type Answer = (res: ServerResponse, call: Received, req: IncomingMessage) => void;

/** The replica's user, as the server names them. */
export const person = { id: "10", username: "ada" };

export const userRow = {
  ...person,
  email: "ada@example.org",
  full_name: "Ada",
  affiliations: "",
  active: 1,
  confirmed: 1,
  visibility: "public",
  email_visibility: "restricted",
  preferences: "{}",
  created: 1_700_000_000_000_000,
  updated: 1_700_000_000_000_000,
  revision_id: 1,
};
const card = { kind: "user", id: person.id, rows: { user: [userRow], membership: [] }, people: [] };

export const json =
  (body: unknown, status = 200): Answer =>
  (res) =>
    void res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));

/** A page of the feed. */
export const page = (rest: object = {}) => ({
  ...{ changes: [], applied: [], usage: [], cursor: ".1", seq: 1, more: false },
  ...rest,
});

/** A server that behaves until a test makes it lie. */
export class HostileServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #answers = new Map<string, Answer>();
  readonly calls: Received[] = [];

  constructor() {
    this.#server = createServer((req, res) => void this.#handle(req, res));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      // Clients of this server drop connections.
      socket.on("error", () => socket.destroy());
      socket.once("close", () => this.#sockets.delete(socket));
    });
    this.beHonest();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get server(): Server {
    return this.#server;
  }

  /** Behaves like a server without records. */
  beHonest(): void {
    this.#answers.clear();
    this.answer("GET /api/sync/hello", json(this.hello()));
    this.answer("GET /api/sync/settings", json({ settings: {} }));
    this.answer("GET /api/sync/vocabularies", json({ entries: [], cursor: "0", more: false }));
    this.answer("POST /api/sync/replicas", json({ is_copy: false }));
    this.answer("POST /api/sync/leases", json({ ids: [] }, 201));
    this.answer("POST /api/sync/push", (res, { body }) => {
      const { operations } = JSON.parse(body);
      const outcomes = operations.map(({ id }: { id: string }) => ({ id, outcome: "applied", seq: 1, result: null }));
      json({ outcomes })(res, {} as Received, {} as IncomingMessage);
    });
    this.sayPages(page());
  }

  /** Answers with these pages; repeats the last one after a moment. */
  sayPages(...pages: unknown[]): void {
    const left = [...pages];
    this.answer("GET /api/sync/changes", (res, call, req) => {
      const isLast = left.length === 1;
      const answer = json(isLast ? left[0] : left.shift());
      setTimeout(() => answer(res, call, req), isLast && call.url.includes("wait=") ? 100 : 0);
    });
  }

  hello = (rest: object = {}) => ({
    ...{ version: "1.0.0", protocol: 3, oldest_protocol: 1, user: person, card, epoch: "e" },
    ...rest,
  });

  /** @param route method and start of a path; the longest match counts. */
  answer(route: string, answer: Answer): void {
    this.#answers.set(route, answer);
  }

  /** Calls of one route so far. */
  callsOf = (route: string): Received[] =>
    this.calls.filter(({ method, path }) => `${method} ${path}`.startsWith(route));

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [method = "", url = ""] = [req.method, req.url];
    const path = url.split("?")[0] ?? "";
    const fitting = [...this.#answers.keys()].filter((route) => `${method} ${path}`.startsWith(route));
    const route = fitting.sort((a, b) => b.length - a.length)[0];
    const { body, isCut } = await receivedBody(req);
    if (isCut) return;
    const call = { method, url, path, authorization: req.headers.authorization, body: body.toString() };
    this.calls.push(call);
    const answer = route === undefined ? undefined : this.#answers.get(route);
    (answer ?? json({ status: 404, message: "Not found." }, 404))(res, call, req);
  }
}

/** Starts a hostile server, closed at the end of the test. */
export async function startHostile(): Promise<HostileServer> {
  const hostile = new HostileServer();
  await hostile.listen();
  onTestFinished(() => hostile.close());
  return hostile;
}

export interface Victim {
  hostile: HostileServer;
  replica: RunningReplica;
  client: HttpClient;
}

/** A replica connected to a hostile server that has behaved so far. */
export async function startVictim(): Promise<Victim> {
  const hostile = await startHostile();
  const replica = await newReplica();
  const client = new HttpClient(replica.url, replica.guard.secret);
  must(await client.post("/api/sync/connect", { server: hostile.url, token: "secret" }), 200);
  await until(() => replica.engine.isCaughtUp && replica.engine.isOnline(), "the first page is here");
  return { hostile, replica, client };
}

/** Operations that wait for the server or are being sent to it, and refused ones. */
export async function countUnsent(client: HttpClient): Promise<{ unsent: number; rejected: number }> {
  const { pending, sending, rejected } = (await client.get("/api/sync/status")).body;
  return { unsent: pending + sending, rejected };
}
