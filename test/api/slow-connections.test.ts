import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../shared/kernel/listen.ts";

/** Everything answered on a connection that sends a text and then waits, until the server closes it. */
async function answerUntilClosed(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  let answer = "";
  socket.on("data", (part) => {
    answer += part;
  });
  if (text !== "") socket.write(text);
  await once(socket, "close");
  return answer;
}

test("a connection that never sends a whole head is closed, also one that sends no byte at all (issue 15)", async () => {
  const answering = (_req: unknown, res: { end(text: string): void }) => res.end("here");
  const open = async (...rest: [Parameters<typeof listen>[3]?]) => {
    const listening = await listen(answering, "127.0.0.1", 0, ...rest);
    onTestFinished(() => listening.close(0));
    return listening;
  };
  const { port } = await open({ headersTimeout: 1000, connectionsCheckingInterval: 50 });
  const kept = connect(port, "127.0.0.1");
  onTestFinished(() => void kept.destroy());
  const call = "GET / HTTP/1.1\r\nHost: x\r\n";
  kept.write(`${call}\r\n`);
  await once(kept, "data");
  const slow = await Promise.all(["", "GET / HT", call, `${call}\r\nGET`].map((text) => answerUntilClosed(port, text)));
  const refused = "HTTP/1.1 408 Request Timeout";
  expect(slow.map((answer) => answer.split("\r\n")[0])).toEqual([refused, refused, refused, "HTTP/1.1 200 OK"]);
  kept.write(`${call}\r\n`);
  expect(String((await once(kept, "data"))[0]), "one between two calls stays").toContain("200 OK");

  const { server } = await open();
  const { headersTimeout, connectionsCheckingInterval } = server as typeof server & {
    connectionsCheckingInterval: number;
  };
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(65_000);
});
