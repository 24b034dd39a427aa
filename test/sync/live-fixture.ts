import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { WebSocket } from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";
import { readSettings } from "../../server/config.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { superuser } from "../support/superuser.ts";
import { until } from "../support/until.ts";

/** A person at the server. */
export interface Person {
  id: string;
  tokenId: string;
  token: string;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are read as their reader expects them
  body: any;
}

export interface Client {
  doc: Y.Doc;
  provider: WebsocketProvider;
  /** Close codes seen. */
  closed: number[];
  metadata(): Y.Map<unknown>;
  title(): Y.Text;
}

/** A running server and clients of the kind that other people write: the stock y-websocket provider, plain sockets. */
export async function startLive() {
  const folder = mkdtempSync(join(tmpdir(), "carrel-live-"));
  const open = (port: number): Promise<RunningServer> =>
    openServer({
      dataDir: join(folder, "data"),
      hostName: "127.0.0.1",
      port,
      settings: readSettings(undefined),
      environment: machineEnvironment(),
      log: pino({ level: "silent" }),
    });
  let server = await open(0);
  const clients: Client[] = [];
  const wsUrl = `${server.url.replace("http", "ws")}/api/sync/documents`;

  async function givenPerson(name: string): Promise<Person> {
    const { users, tokens } = server.services;
    const person = newUser.parse({ username: name, email: `${name}@example.org`, full_name: `${name} the person` });
    const userId = await users.create(person);
    const grant = { userId, byPassword: false, defaultScopes: ["read", "write", "tokens"] as const };
    const { secret, row } = await tokens.issue(grant, { name: "test" });
    return { id: userId, token: secret, tokenId: row.id };
  }

  /** Gives a person a permission on a draft's family, or takes it away. */
  async function grant(draftId: string, person: Person, permission: "view" | "preview" | "edit" | undefined) {
    const { host, services } = server;
    const grants = await services.grants.list(host.db, superuser, draftId);
    const held = grants.find(({ subject_id }) => subject_id === person.id);
    if (held) await services.grants.remove(superuser, { id: held.id, recordId: draftId });
    if (permission === undefined) return;
    const subject = { type: "user" as const, id: person.id };
    const added = { id: host.newUuid(), permission, subject, origin: null, message: null };
    await services.grants.create(superuser, { recordId: draftId, grants: [added] });
  }

  async function call(person: Person | undefined, method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(person === undefined ? {} : { Authorization: `Bearer ${person.token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  async function ticketOf(person: Person, body?: unknown): Promise<string> {
    const { body: answer } = await call(person, "POST", "/api/sync/ticket", body);
    return answer.ticket;
  }

  return {
    get server() {
      return server;
    },
    /** Stops the server and starts it again at the same address. */
    async restart(): Promise<void> {
      const port = Number(new URL(server.url).port);
      await server.close();
      server = await open(port);
    },
    dataDir: join(folder, "data"),
    wsUrl,
    givenPerson,
    grant,
    call,
    ticketOf,
    async givenDraft(owner: Person, metadata: object = { title: "A title" }): Promise<string> {
      const { body } = await call(owner, "POST", "/api/records", { files: { enabled: true }, metadata });
      return body.id;
    },
    /** Connects the stock client, and waits until it has the document. */
    async connect(person: Person, draftId: string, given?: string): Promise<Client> {
      const doc = new Y.Doc();
      const provider = new WebsocketProvider(wsUrl, `draft:${draftId}`, doc, {
        params: { ticket: given ?? (await ticketOf(person)) },
        WebSocketPolyfill: WebSocket as unknown as typeof globalThis.WebSocket,
        disableBc: true,
      });
      const closed: number[] = [];
      provider.on("connection-close", (event) => {
        if (event) closed.push(event.code);
      });
      const metadata = (): Y.Map<unknown> => doc.getMap("draft").get("metadata") as Y.Map<unknown>;
      const client = { doc, provider, closed, metadata, title: () => metadata().get("title") as Y.Text };
      clients.push(client);
      await until(() => provider.synced);
      return client;
    },
    /** A socket that speaks whatever it is told; answers the HTTP status when the upgrade is refused. */
    socket(path: string): Promise<WebSocket | number> {
      const socket = new WebSocket(`${server.url.replace("http", "ws")}${path}`);
      return new Promise((resolve, reject) => {
        socket.on("unexpected-response", (_, response) => {
          resolve(response.statusCode ?? 0);
          response.destroy();
        });
        socket.on("open", () => resolve(socket));
        socket.on("error", reject);
      });
    },
    async close(): Promise<void> {
      for (const { provider } of clients) provider.destroy();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
export type Live = Awaited<ReturnType<typeof startLive>>;
