import type { Desktop, WindowRules } from "../../main/desktop/desktop.ts";
import type { KeyStore } from "../../main/desktop/folder-key.ts";
import type { ApiAddress } from "../../main/desktop/header-rule.ts";
import type { Action, Item } from "../../main/desktop/menu.ts";
import type { ApiChild, SpawnApi } from "../../main/desktop/spawn-api.ts";
import type { TrayModel } from "../../main/desktop/tray.ts";

/** A child process controlled by the test. */
export class FakeChild implements ApiChild {
  readonly received: ("stop" | "kill")[] = [];
  #line: (line: string) => void = () => undefined;
  #log: (line: string) => void = () => undefined;
  #exit: (reason: string) => void = () => undefined;

  onLine(listener: (line: string) => void): void {
    this.#line = listener;
  }
  onLog(listener: (line: string) => void): void {
    this.#log = listener;
  }
  onExit(listener: (reason: string) => void): void {
    this.#exit = listener;
  }
  stop(): void {
    this.received.push("stop");
  }
  kill(): void {
    this.received.push("kill");
  }

  prints(line: string): void {
    this.#line(line);
  }
  ready(port: number): void {
    const token = `token-of-port-${port}`.padEnd(32, "x");
    this.prints(JSON.stringify({ event: "ready", url: `http://127.0.0.1:${port}`, pid: 1, token }));
  }
  logs(line: string): void {
    this.#log(line);
  }
  exits(reason: string): void {
    this.#exit(reason);
  }
}

/** A key store that unseals what the same account sealed; none without an account. */
export const fakeKeyStore = (account: string | undefined): KeyStore => ({
  isAvailable: async () => account !== undefined,
  seal: async (text) => Buffer.from(`${account}:${text}`).reverse(),
  unseal: async (sealed) => {
    const [owner, text] = Buffer.from(sealed).reverse().toString().split(":");
    if (owner !== account || text === undefined) throw new Error("sealed for somebody else");
    return text;
  },
});

export function fakeSpawn(): {
  spawn: SpawnApi;
  children: FakeChild[];
  calls: string[][];
  keys: (string | undefined)[];
} {
  const children: FakeChild[] = [];
  const calls: string[][] = [];
  const keys: (string | undefined)[] = [];
  const spawn = (args: string[], tokenKey?: string) => {
    const child = new FakeChild();
    children.push(child);
    calls.push(args);
    keys.push(tokenKey);
    return child;
  };
  return { spawn, children, calls, keys };
}

/** Timers that the test advances. */
export class FakeTimers {
  #nowMs = 0;
  #waiting: { atMs: number; work: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }
  after(ms: number, work: () => void) {
    const entry = { atMs: this.#nowMs + ms, work };
    this.#waiting.push(entry);
    return {
      cancel: () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
      },
    };
  }
  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = this.#waiting.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#nowMs = next.atMs;
      next.work();
    }
    this.#nowMs = untilMs;
  }
}

interface Seen {
  windows: { loaded: string[]; shown: number; went: string[]; rules: WindowRules; words: string[]; close(): void }[];
  api: ApiAddress[];
  failures: string[];
  outside: string[];
  registered: string[];
  menu: Item[];
  tray: TrayModel[];
  copied: string[];
  quits: number;
  requests: { method: string; url: string; authorization: string | undefined }[];
}

/** A fake system that records calls, with handles to trigger events. */
export function fakeDesktop(
  options: { isFirst?: boolean; argv?: string[]; account?: string; dataDir?: string; locale?: string } = {},
) {
  const seen: Seen = {
    windows: [],
    api: [],
    failures: [],
    outside: [],
    registered: [],
    menu: [],
    tray: [],
    copied: [],
    quits: 0,
    requests: [],
  };
  const play = {
    second: (_argv: string[]): void => undefined,
    link: (_link: string): void => undefined,
    activate: (): void => undefined,
    perform: (_action: Action): void => undefined,
    endOfProgram: async (): Promise<void> => undefined,
    tick: (): void => undefined,
    mayHave: (_permission: string, _origin: string): boolean => true,
    status: { state: "local", server: null, pending: 0, sending: 0, rejected: 0, conflicts: 0 } as object,
  };
  const { spawn, children, calls, keys } = fakeSpawn();
  const desktop: Desktop = {
    isMac: false,
    isPackaged: true,
    dataDir: options.dataDir ?? "/data",
    argv: options.argv ?? [],
    lock: {
      acquire: () => options.isFirst ?? true,
      onSecond: (listener) => Object.assign(play, { second: listener }),
    },
    links: {
      register: (scheme) => seen.registered.push(scheme),
      onOpen: (listener) => Object.assign(play, { link: listener }),
    },
    whenReady: async () => undefined,
    locale: () => options.locale ?? "en-GB",
    session: {
      setApi: (api) => seen.api.push(api),
      setPermissions: (mayHave) => Object.assign(play, { mayHave }),
    },
    windows: {
      isDark: () => false,
      preload: "/app/preload.cjs",
      onActivate: (listener) => Object.assign(play, { activate: listener }),
      onAllClosed: () => undefined,
      open(_options, rules) {
        let closed = (): void => undefined;
        const seenHere = { loaded: [] as string[], shown: 0, went: [] as string[], words: [] as string[] };
        const window = { ...seenHere, rules, close: () => closed() };
        seen.windows.push(window);
        return {
          load: async (url) => void window.loaded.push(url),
          show: () => void window.shown++,
          address: () => window.loaded.at(-1) ?? "",
          go: (direction) => void window.went.push(direction),
          replaceWord: (word) => void window.words.push(`replaced by ${word}`),
          learnWord: (word) => void window.words.push(`learned ${word}`),
          onClosed: (listener) => {
            closed = listener;
          },
        };
      },
    },
    openOutside: (url) => void seen.outside.push(url),
    copyText: (text) => void seen.copied.push(text),
    menu: {
      set(items, perform) {
        seen.menu = items;
        play.perform = perform;
      },
    },
    tray: { set: (model) => void seen.tray.push(model) },
    dialogs: { showFailure: (title, text) => void seen.failures.push(`${title}: ${text}`) },
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      const authorization = headers.get("authorization") ?? undefined;
      seen.requests.push({ method: init?.method ?? "GET", url: String(input), authorization });
      return Response.json(play.status);
    },
    every: (_ms, work) => void Object.assign(play, { tick: work }),
    keyStore: fakeKeyStore(options.account),
    spawnApi: spawn,
    onQuit: (listener) => void Object.assign(play, { endOfProgram: listener }),
    quit: () => void seen.quits++,
  };
  return { desktop, seen, play, children, calls, keys };
}
