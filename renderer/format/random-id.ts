/** A random id. `crypto.randomUUID` is missing on a server that is reached without https. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
