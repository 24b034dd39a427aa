import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "pg";
import { SiteClock } from "../fake-invenio/clock.ts";
import type { Logged } from "../fake-invenio/site.ts";
import { Switches } from "../fake-invenio/switches.ts";
import { HttpClient } from "../http-client.ts";
import { type Account, type SiteFile, takePerson } from "./site-file.ts";

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
  isLost?: boolean;
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const html = (status: number): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  body: Buffer.from(`<html><body><h1>${status}</h1></body></html>`),
});

/** A gateway wants a sign-in first. */
const toSignIn: Answer = { ...html(302), headers: { ...html(302).headers, location: "/login" } };

const json = (status: number, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(JSON.stringify({ status, message })),
});

interface Held {
  url: string;
  method: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/**
 * A real InvenioRDM behind a proxy of one test. The proxy logs calls and makes the faults of a connection, as the fake
 * does. What the server itself would have to do, such as lists that are late on demand, it cannot.
 */
export class RealSite {
  readonly #file: SiteFile;
  readonly #server: Server;
  readonly #people = new Map<string, { account: Account; used: number }>();
  readonly #late: { at: number; call: Held }[] = [];
  /** Its address, set once it listens. */
  url = "";
  readonly calls: Logged[] = [];
  readonly clock = new SiteClock();
  readonly switches: Pick<Switches, "fault" | "clearFaults">;
  readonly #faults = new Switches();
  /** The connection is cut: no call arrives. */
  isCut = false;
  /** The person of each token. */
  readonly #names = new Map<string, string>();

  constructor(file: SiteFile) {
    this.#file = file;
    this.switches = this.#faults;
    this.#server = createServer((req, res) => void this.#serve(req, res).catch(() => res.destroy()));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A person of this test with a token that was not used yet. */
  person(name: string): { id: string; username: string; email: string; token: string; client: HttpClient } {
    const known = this.#people.get(name) ?? { account: takePerson(this.#file), used: 0 };
    this.#people.set(name, known);
    const { account } = known;
    const token = account.tokens[Math.min(known.used++, account.tokens.length - 1)]?.token ?? "";
    this.#names.set(token, name);
    return { ...account, token, client: new HttpClient(this.url, token) };
  }

  /** Deletes a token in the database, as the page of the account does. */
  async revoke(token: string): Promise<void> {
    const accounts = [...this.#people.values()].map(({ account }) => account);
    const id = accounts.flatMap(({ tokens }) => tokens).find((one) => one.token === token)?.id;
    const client = new Client({ connectionString: this.#file.database });
    await client.connect();
    try {
      await client.query("delete from oauth2server_token where id = $1", [id]);
    } finally {
      await client.end();
    }
  }

  /** The index shows only after a refresh, once a second, what it was given. */
  async listed(): Promise<void> {
    const { ok, status } = await fetch(`${this.#file.search}/_refresh`, { method: "POST" });
    if (!ok) throw new Error(`the search index was not refreshed: ${status}`);
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.isCut) return void req.destroy();
    const body = await bytesOf(req);
    await this.#carryOutLate();
    const { method = "GET", url = "/", headers } = req;
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    const logged: Logged = {
      ...{ method, path: url.split("?")[0] ?? "", url, at: this.clock.now(), person: this.#names.get(token) },
      ...{ headers: headers as Logged["headers"], body, status: 0 },
    };
    this.calls.push(logged);
    const answer = await this.#withFaults({ method, url, headers, body }, logged.path);
    if (answer.isLost) return void res.destroy();
    logged.status = answer.status;
    const { connection: _, "transfer-encoding": __, ...rest } = answer.headers;
    // A HEAD has the length of what it does not send.
    res.writeHead(answer.status, method === "HEAD" ? rest : { ...rest, "content-length": answer.body.length });
    res.end(answer.body);
  }

  async #withFaults(call: Held, path: string): Promise<Answer> {
    const fault = this.#faults.faultOf(call.method, path);
    switch (fault?.kind) {
      case undefined:
        return this.#pass(call);
      case "lost-before":
        return { ...html(0), isLost: true };
      case "lost-after":
        return { ...(await this.#pass(call)), isLost: true };
      case "refused-500":
        return json(500, "The server encountered an internal error.");
      case "html-502":
        return html(502);
      case "html-200":
        return html(200);
      case "html-302":
        return toSignIn;
      case "html-404":
        return html(404);
      case "html-413":
        return html(413);
      case "too-many":
        return json(429, "Rate limit exceeded.", { "retry-after": "60" });
      case "late-504":
        this.#late.push({ at: this.clock.now() + fault.lateMs, call });
        return html(504);
      case "queue-down":
        await this.#pass(call);
        return json(500, "The server encountered an internal error.");
      case "done-but-500":
        throw new Error("a proxy cannot keep a call from the index");
    }
  }

  async #carryOutLate(): Promise<void> {
    const due = this.#late.filter(({ at }) => at <= this.clock.now());
    this.#late.splice(0, this.#late.length, ...this.#late.filter((one) => !due.includes(one)));
    for (const { call } of due) await this.#pass(call);
  }

  #pass({ method, url, headers, body }: Held): Promise<Answer> {
    const target = new URL(this.#file.url);
    const options = { method, headers: { ...headers, host: target.host, connection: "close" } };
    return new Promise((resolve, reject) => {
      const passed = request(new URL(url, target), options, (incoming) => {
        const { statusCode = 0, headers: got } = incoming;
        const isJson = got["content-type"]?.includes("json") === true;
        bytesOf(incoming).then((bytes) => {
          // Links lead through this proxy.
          const own = isJson ? Buffer.from(bytes.toString().replaceAll(target.origin, this.url)) : bytes;
          resolve({ status: statusCode, headers: got, body: own });
        }, reject);
      });
      passed.once("error", reject);
      passed.end(body);
    });
  }
}
