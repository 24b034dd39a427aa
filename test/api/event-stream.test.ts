import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { EventStream, type Listener } from "../../shared/live-events/event-stream.ts";

test("what is sent to a window after its stream was ended is dropped, and harms nobody (issue 15)", async () => {
  const stream = new EventStream();
  const app = express();
  let listener: Listener | undefined;
  const errors: Error[] = [];
  app.get("/", (req, res) => {
    res.on("error", (error) => errors.push(error));
    listener = stream.open(req, res);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { body } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  listener?.send("changed", { id: "1" });
  stream.close();
  listener?.send("changed", { id: "2" });
  const text = await new Response(body).text();
  expect([text.includes('"1"'), text.includes('"2"')]).toEqual([true, false]);
  expect(errors).toEqual([]);
});
