import { longestTurn } from "../bench/processor-time.ts";

// Loaded before a host that is measured (see bench-server.ts): between `begin` and `end` it watches the event loop, and
// tells its longest turn in milliseconds of the processor.

let end = (): void => undefined;

async function watch(): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  process.send?.(await longestTurn(() => ended));
}

process.on("message", async (word) => (word === "end" ? end() : watch()));
process.channel?.unref();
