import i18next from "i18next";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { ApiFailure, call, getText } from "../../renderer/api-client/request.ts";
import de from "../../renderer/locales/de.json" with { type: "json" };

const path = "/api/records/abcde-12345/draft";

beforeAll(async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  await i18next.init({ lng: "de", resources: { de: { translation: de } } });
});
afterEach(() => vi.unstubAllGlobals());

/** An answer whose connection breaks in the middle of its body. */
const cut = () =>
  new Response(
    new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"id":'));
        stream.error(new TypeError("network error"));
      },
    }),
  );

async function failureOf(work: Promise<unknown>): Promise<ApiFailure> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ApiFailure);
  return failure as ApiFailure;
}

test("no answer, and an answer that is cut, say so in the user's language and keep their cause (app 17)", async () => {
  const reasons: [fetched: () => Promise<Response>, cause: string][] = [
    [() => Promise.reject(new TypeError("Failed to fetch")), "Failed to fetch"],
    [() => Promise.resolve(cut()), "network error"],
  ];
  for (const [fetched, cause] of reasons) {
    vi.stubGlobal("localStorage", { getItem: () => null });
    vi.stubGlobal("fetch", fetched);
    for (const work of [call("GET", path), getText(path, "text/plain")]) {
      const failure = await failureOf(work);
      expect(failure).toMatchObject({ status: 0, message: de.failure.host_away });
      expect((failure.cause as Error).message).toBe(cause);
    }
  }
});

test("a call that the page gave up is no failure of the host", async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("fetch", () => Promise.reject(new DOMException("The user aborted a request.", "AbortError")));
  await expect(call("GET", path)).rejects.toMatchObject({ name: "AbortError" });
});
