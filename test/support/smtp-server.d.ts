declare module "smtp-server" {
  import type { Readable } from "node:stream";
  export class SMTPServer {
    constructor(options: {
      authOptional: boolean;
      disabledCommands: string[];
      onRcptTo(address: { address: string }, session: unknown, done: (error?: Error | null) => void): void;
      onData(stream: Readable, session: unknown, done: (error?: Error) => void): void;
    });
    readonly server: import("node:net").Server;
    on(event: "error", heard: (error: NodeJS.ErrnoException) => void): void;
    removeAllListeners(event: "error"): void;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
  }
}
