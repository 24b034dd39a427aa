import { connect, type Socket } from "node:net";

export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/** Opens a raw request that can be sent in part and cut. */
export async function openRequest(url: string, { method, path, headers }: RawRequest): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  socket.on("error", () => undefined);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

/** Writes and waits for the operating system to accept it. */
export const send = (socket: Socket, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => socket.write(bytes, () => resolve()));

/** The status line; undefined if the connection closed without one. */
export function statusLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (text.includes("\r\n")) resolve(text.slice(0, text.indexOf("\r\n")));
    });
    socket.on("close", () => resolve(undefined));
  });
}

/** Everything answered to a text until the server closes. */
export async function answerTo(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  return answer;
}
