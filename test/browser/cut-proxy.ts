import { createServer, connect as open, type Socket } from "node:net";

/** A connection to the server that can be cut and restored. */
export interface CutProxy {
  url: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Listens on the loopback and forwards everything to `port`. */
export async function cutProxy(port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const listener = createServer((near) => {
    keep(near);
    if (isCut) return void near.destroy();
    const far = open(port, "127.0.0.1");
    keep(far);
    near.pipe(far).pipe(near);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut() {
      isCut = true;
      end();
    },
    mend() {
      isCut = false;
    },
    async close() {
      end();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
