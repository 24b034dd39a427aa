import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openBrowserWindow } from "../../main/commands/browser-window.ts";
import { createLocalGuard } from "../../main/replica/local-guard.ts";

const url = "http://127.0.0.1:4711";
const newGuard = () => createLocalGuard({ port: 4711, isOpenPath: () => false });

afterEach(() => void vi.useRealTimers());

/** Opens a window; what the opening program was told, and the code in its file. */
function opened(at: ReturnType<typeof newGuard>) {
  const shown: string[] = [];
  const close = openBrowserWindow({ url, guard: at }, (file) => void shown.push(file));
  const [file = ""] = shown;
  const code = /url=http:\/\/127\.0\.0\.1:4711\/#t=([\w-]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return { file, code, close };
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("the arguments of the program that opens a window hold no code; its file is for this account alone (security 5)", () => {
  const at = newGuard();
  const { file, code, close } = opened(at);
  expect(code).toMatch(/^[\w-]{43}$/);
  expect(file).not.toContain(code);
  expect([modeOf(file), modeOf(dirname(file))]).toEqual([0o600, 0o700]);
  expect(readFileSync(file, "utf8")).toContain('<meta name="referrer" content="no-referrer">');
  close();
  expect(() => statSync(dirname(file))).toThrow(/ENOENT/);
});

test("the file goes with the first use of its code, and there is no second use (security 5)", () => {
  const at = newGuard();
  const { file, code } = opened(at);
  expect(at.exchange(code).cookie).toMatch(/HttpOnly; SameSite=Strict/);
  expect(() => statSync(dirname(file))).toThrow(/ENOENT/);
  expect(() => at.exchange(code)).toThrow(/accepts calls only/);
});

test("a code that nobody used dies after 60 seconds, and its file with it (security 5)", () => {
  vi.useFakeTimers();
  const at = newGuard();
  const { file, code } = opened(at);
  const printed = at.newCode();
  vi.advanceTimersByTime(59_000);
  expect(statSync(file).isFile()).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(() => statSync(dirname(file))).toThrow(/ENOENT/);
  expect(() => at.exchange(code)).toThrow(/accepts calls only/);
  expect(() => at.exchange(printed)).toThrow(/accepts calls only/);
});
