import { longestTurn } from "../bench/processor-time.ts";

// Loaded before a measured host (see bench-server.ts). Between `begin` and `end` measures the longest block of the
// event loop, in milliseconds of CPU time.

let end = (): void => undefined;

async function watch(): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  process.send?.(await longestTurn(() => ended));
}

process.on("message", async (word) => (word === "end" ? end() : watch()));
process.channel?.unref();
