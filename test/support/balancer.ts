import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { until } from "./until.ts";

const checkMs = 100;

/**
 * A load balancer in front of several processes, as simple as one can be: it asks each for `/readyz`, sends calls to those
 * that are ready by turns, keeps connections, and never repeats a call.
 */
export class Balancer {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #ready = new Map<string, boolean>();
  readonly #checks = setInterval(() => void this.#check(), checkMs);
  #isChecking = false;
  #calls = 0;
  /** Calls that no process answered. */
  readonly failed: string[] = [];

  constructor() {
    this.#server = createServer((req, res) => this.#pass(req, res));
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Adds a process, and waits until it gets calls. */
  async add(url: string): Promise<void> {
    this.#ready.set(url, false);
    await until(() => this.#ready.get(url) === true, "the process is ready");
  }

  remove(url: string): void {
    this.#ready.delete(url);
  }

  async close(): Promise<void> {
    clearInterval(this.#checks);
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** One check at a time: an answer that is late must not hide a newer one. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (const url of this.#ready.keys()) {
      const isReady = await fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (this.#ready.has(url)) this.#ready.set(url, isReady);
    }
    this.#isChecking = false;
  }

  #pass(req: IncomingMessage, res: ServerResponse): void {
    const ready = [...this.#ready].flatMap(([url, isReady]) => (isReady ? [url] : []));
    const target = ready[this.#calls++ % ready.length];
    const fail = (reason: string): void => {
      this.failed.push(`${req.method} ${req.url}: ${reason}`);
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    };
    if (target === undefined) {
      fail("no process is ready");
      return;
    }
    const { method = "GET", headers } = req;
    const passed = request(target + (req.url ?? "/"), { method, headers, agent: this.#agent }, (answer) => {
      const { connection: _, ...rest } = answer.headers;
      res.writeHead(answer.statusCode ?? 502, rest);
      answer.on("error", (error) => fail(error.message));
      answer.pipe(res);
    });
    passed.on("error", (error) => fail(error.message));
    res.once("close", () => passed.destroy());
    req.pipe(passed);
  }
}
