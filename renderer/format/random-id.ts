import { hexOf } from "./hex.ts";

/** A random id. `crypto.randomUUID` is missing on a server that is reached without https. */
export const randomId = (): string => hexOf(crypto.getRandomValues(new Uint8Array(16)));
