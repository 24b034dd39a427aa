import { createServer, type Server, Socket } from "node:net";

/**
 * Faults of a connection. `none`: works; `cut`: refuses and resets; `hole`: swallows everything; `lose-answers`: passes
 * requests and drops answers. Others flip a byte of long contents, slow the connection down, change the protocol
 * version, or answer with a sign-in page that claims to be JSON.
 */
type Fault = "none" | "cut" | "hole" | "lose-answers" | "corrupt" | "slow" | "newer" | "portal";

const portal =
  "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>";

const slowBytes = 2048;

/** A TCP proxy with faults on demand. */
export class FaultProxy {
  readonly #server: Server;
  readonly #target: () => string | undefined;
  readonly #sockets = new Set<Socket>();
  #fault: Fault = "none";
  /** Transferred bytes: to the server, and back. */
  readonly bytes = { up: 0, down: 0 };
  /** Number of flipped bytes. */
  turned = 0;
  /** Cuts the connection after this many bytes to the server. */
  breakEvery = Number.POSITIVE_INFINITY;

  /** @param target the server's address; `undefined` while it is not running, when its port may be somebody else's. */
  constructor(target: () => string | undefined) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Sets the fault; `cut` also ends current connections. */
  fail(fault: Fault): void {
    this.#fault = fault;
    if (fault === "cut") this.#reset();
  }

  heal(): void {
    this.#fault = "none";
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    this.#reset();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  #join(client: Socket): void {
    const target = this.#target();
    if (target === undefined || this.#fault === "cut") return void client.resetAndDestroy();
    const server = new Socket().connect(Number(new URL(target).port), "127.0.0.1");
    const sides = [client, server];
    const end = () => {
      for (const side of sides) {
        side.destroy();
        this.#sockets.delete(side);
      }
    };
    for (const side of sides) {
      this.#sockets.add(side);
      side.on("error", end).once("close", end);
    }
    this.#pass(client, server, "up", end);
    this.#pass(server, client, "down", end);
  }

  #pass(from: Socket, to: Socket, way: "up" | "down", end: () => void): void {
    let passed = 0;
    from.on("data", (chunk: Buffer) => {
      if (this.#fault === "hole") {
        from.pause();
        from.unshift(chunk);
        return;
      }
      if (this.#fault === "portal" && way === "up") return void from.end(portal);
      if (this.#fault === "lose-answers" && way === "down") return end();
      passed += chunk.length;
      this.bytes[way] += chunk.length;
      if (way === "up" && passed > this.breakEvery) return end();
      if (this.#fault === "corrupt") this.#turn(chunk);
      if (this.#fault === "newer") this.#pretend(chunk);
      if (this.#fault === "slow") return this.#drip(from, to, chunk);
      if (!to.write(chunk)) {
        from.pause();
        to.once("drain", () => from.resume());
      }
    });
  }

  #turn(chunk: Buffer): void {
    if (chunk.includes("HTTP/1.1")) return;
    const at = chunk.length >> 1;
    chunk.writeUInt8(chunk.readUInt8(at) ^ 0x20, at);
    this.turned += 1;
  }

  #pretend(chunk: Buffer): void {
    const header = "carrel-protocol: ";
    const at = chunk.indexOf(header);
    if (at >= 0) chunk.write("9", at + header.length);
  }

  #drip(from: Socket, to: Socket, chunk: Buffer): void {
    from.pause();
    const step = (at: number) => {
      if (at >= chunk.length || to.destroyed) return void from.resume();
      to.write(chunk.subarray(at, at + slowBytes));
      setTimeout(() => step(at + slowBytes), 5);
    };
    step(0);
  }
}
