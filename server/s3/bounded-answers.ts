import { pipeline, Readable, Transform, type TransformCallback } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { StrangeAnswer } from "./bucket-failure.ts";

/** A page of a list has 1,000 keys of 1,024 bytes at most, each with some facts. */
const maxBytes = 4 * 1024 * 1024;

class Bounded extends Transform {
  #left = maxBytes;

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    this.#left -= chunk.byteLength;
    if (this.#left < 0) callback(new StrangeAnswer("the store's answer has no end"));
    else callback(null, chunk);
  }
}

/** Ends an answer of the store that is longer than any it may give, except the bytes of an object. */
export function boundAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const outcome = await next(args);
      const response = outcome.response as { statusCode?: number; body?: unknown };
      const isObject = context.commandName === "GetObjectCommand" && (response.statusCode ?? 500) < 300;
      if (response.body instanceof Readable && !isObject) {
        // The reader of the answer gets the error.
        response.body = pipeline(response.body, new Bounded(), () => undefined);
      }
      return outcome;
    },
    { step: "deserialize", priority: "low", name: "boundAnswers" },
  );
}
