import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** An answer of the gateway itself; JSON if the text looks like it, else HTML. */
export type GatewayAnswer = readonly [status: number, body: string];

export interface Gateway {
  url: string;
  /** Answers instead of the server; undefined: the server answers. */
  answer: (req: IncomingMessage) => GatewayAnswer | undefined;
  /** Cuts a connection after so many bytes of one body, either way. */
  mostBytes: number;
}

/** A reverse proxy before a server, such as nginx or a firewall. It ends with the test. */
export async function gatewayTo(target: string): Promise<Gateway> {
  const gateway: Gateway = { url: "", answer: () => undefined, mostBytes: Number.POSITIVE_INFINITY };
  const server = createServer((req, res) => {
    const own = gateway.answer(req);
    if (own) {
      const [status, body] = own;
      const type = body.startsWith("{") ? "application/json" : "text/html";
      req.resume();
      req.once("close", () => res.socket?.destroySoon());
      return void res.writeHead(status, { "content-type": type, connection: "close" }).end(body);
    }
    const { method, headers, url = "" } = req;
    const { port } = new URL(target);
    const onward = httpRequest({ host: "127.0.0.1", port, path: url, method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", () => res.destroy());
      limited(answer).pipe(res);
    });
    const limited = (body: IncomingMessage): IncomingMessage => {
      let passed = 0;
      body.on("data", (chunk: Buffer) => {
        passed += chunk.length;
        if (passed > gateway.mostBytes) req.socket.destroy();
      });
      return body;
    };
    onward.on("error", () => res.destroy());
    res.on("close", () => onward.destroy());
    limited(req).pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gateway;
}

/** Refuses large bodies, as nginx does. @param sizes of the refused bodies @param most nginx's default limit, in bytes */
export const withBodyLimit =
  (sizes: number[], most = 1024 * 1024) =>
  ({ headers }: IncomingMessage): GatewayAnswer | undefined => {
    const size = Number(headers["content-length"] ?? 0);
    if (size <= most) return undefined;
    sizes.push(size);
    return [413, "<html><h1>413 Request Entity Too Large</h1></html>"];
  };
