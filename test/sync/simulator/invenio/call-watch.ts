import type { Answer, Call } from "../../../support/fake-invenio/call.ts";
import type { FakeSite } from "../../../support/fake-invenio/site.ts";
import type { Comment, Content } from "../../../support/fake-invenio/state.ts";
import type { VirtualEnvironment } from "../environment.ts";
import type { WatchedDesk } from "./watched-desk.ts";
import { marksIn, type WorkLedger } from "./work-ledger.ts";

type Seen = Pick<Call, "method" | "url" | "headers">;

/** What is called by path and method (upstreams 3 and 4). */
const allowed: readonly [methods: string, path: RegExp][] = [
  ["GET", /^\/api\/(me|user\/records|requests\/|users\/\d+|vocabularies\/\w+|records|communities\/[\w-]+)$/],
  ["GET", /^\/api\/requests\/[\w-]+(\/timeline|\/comments\/[\w-]+(\/replies)?)?$/],
  ["GET", /^\/api\/records\/[\w-]+(\/draft)?(\/files(\/.+)?)?$/],
  ["POST", /^\/api\/records(\/[\w-]+\/(draft|versions|draft\/actions\/(publish|files-import)))?$/],
  ["PUT DELETE", /^\/api\/records\/[\w-]+\/draft$/],
  ["POST PUT DELETE", /^\/api\/records\/[\w-]+\/draft\/files\/.+$/],
  ["POST", /^\/api\/records\/[\w-]+\/draft\/files$/],
  ["POST PUT DELETE", /^\/api\/requests\/[\w-]+\/comments(\/[\w-]+(\/reply)?)?$/],
];

/** What a desk heard last about the site's limits. */
interface Limit {
  silentUntil: number;
  most: number;
  left: number;
  resetAt: number;
}

/** The share of the limit that each kind of call leaves to more urgent ones (upstreams 4). */
const reserved = { poll: 0.4, send: 0.1, user: 0 };

/** How long a creation without an answer is not sent again. */
const creationMicros = 300_000_000;

/** Looks at every call of a desk, before and after its effect (U1, U2, U3, U5, U6, U9). */
export class CallWatch {
  readonly #site: FakeSite;
  readonly #ledger: WorkLedger;
  readonly #environment: VirtualEnvironment;
  readonly #limits = new Map<string, Limit>();
  /** The files of each draft as a desk last looked at them, by desk and draft. */
  readonly #looks = new Map<string, Map<string, string>>();
  readonly #marks = new WeakMap<Content, { marks: readonly string[]; revision: number }>();
  #before: ReadonlySet<string> = new Set();
  /** When each creation was sent last that has no answer, by its marker. */
  readonly #created = new Map<string, number>();

  constructor(site: FakeSite, ledger: WorkLedger, environment: VirtualEnvironment) {
    this.#site = site;
    this.#ledger = ledger;
    this.#environment = environment;
  }

  #break(text: string): void {
    this.#ledger.broken.push(text);
  }

  /** A process forgets what it heard about limits. */
  restarted({ name }: WatchedDesk): void {
    this.#limits.delete(name);
  }

  /** A desk was restored, or its clock was set: it cannot know when it created what. */
  forgetCreations(): void {
    this.#created.clear();
  }

  /** A creation without an answer is looked for during five minutes (U2). */
  #noteCreation({ name }: WatchedDesk, marker: string): void {
    const now = this.#environment.now();
    const since = now - (this.#created.get(marker) ?? Number.NEGATIVE_INFINITY);
    if (since < creationMicros) this.#break(`U2 ${name} sent a creation again after ${since / 1_000_000} seconds`);
    this.#created.set(marker, now);
  }

  /**
   * A desk that was restored sends a comment that stands there already, and that no call shows (U4): no list has it, or
   * none has it yet (F7), and it is not the newest one, which version 14 says with the request. It may stand twice then.
   * Nothing tells this desk from one that was offline since its user wrote the comment, so it cannot ask either.
   */
  #noteUnseenTwin({ name }: WatchedDesk, mark: string): void {
    const { unsentInBackup, comments } = this.#ledger;
    const index = unsentInBackup.findIndex((one) => one.mark === mark && one.desk === name);
    if (index < 0) return;
    const since = this.#site.clock.now() - this.#site.switches.indexLagMs;
    const isShown = (one: Comment, newest: Comment | undefined) =>
      one === newest || (!one.isUnlisted && one.created <= since);
    for (const request of this.#site.state.requests.values()) {
      const said = request.comments.filter(({ type }) => type === "C");
      const twins = said.filter(({ content }) => content.includes(mark));
      const newest = this.#site.profile.version >= 14 ? said.at(-1) : undefined;
      if (twins.length === 0 || twins.some((twin) => isShown(twin, newest))) continue;
      unsentInBackup.splice(index, 1);
      comments.push({ mark, desk: name, isOptional: true });
    }
  }

  /** A call begins. @returns tells that it was answered */
  sends(desk: WatchedDesk, method: string, path: string, body: Buffer): () => void {
    const { unanswered } = this.#ledger;
    const [marker] = method === "POST" && path === "/api/records" ? (/carrel:[\w-]+/.exec(body.toString()) ?? []) : [];
    if (marker !== undefined) this.#noteCreation(desk, marker);
    const isComment = method === "POST" && /\/comments(\/[\w-]+\/reply)?$/.test(path);
    const marks = isComment ? marksIn(body.toString()) : [];
    unanswered.push(...marks);
    for (const mark of marks) this.#noteUnseenTwin(desk, mark);
    return () => {
      if (marker !== undefined) this.#created.delete(marker);
      for (const mark of marks) unanswered.splice(unanswered.indexOf(mark), 1);
    };
  }

  before(desk: WatchedDesk, call: Seen): void {
    const path = call.url.split("?")[0] ?? "";
    if (!allowed.some(([methods, at]) => methods.split(" ").includes(call.method) && at.test(path)))
      this.#break(`U9 ${desk.name} called ${call.method} ${path}`);
    this.#checkLimit(desk, call.method, path);
    const [, id = "", rest = ""] = /^\/api\/records\/([\w-]+)\/draft(.*)$/.exec(path) ?? [];
    if (rest === "/actions/publish" && call.method === "POST") this.#checkPublish(desk, id);
    const key = /^\/files\/([^/]+)/.exec(rest)?.[1];
    if (key !== undefined) this.#checkFile(desk, call.method, { id, key: decodeURIComponent(key), rest });
    this.#before = this.#standing();
  }

  #checkLimit({ name, doing }: WatchedDesk, method: string, path: string): void {
    const limit = this.#limits.get(name);
    const now = this.#environment.now();
    if (!limit) return;
    if (now < limit.silentUntil) this.#break(`U6 ${name} called ${method} ${path} after a 429`);
    // Whether the token is alive is asked whatever is left.
    const isOver = limit.left <= limit.most * reserved[doing] && now < limit.resetAt;
    if (isOver && path !== "/api/me")
      this.#break(`U6 ${name} called ${method} ${path} (${doing}) with ${limit.left} of ${limit.most} left`);
  }

  #checkPublish({ name, wish }: WatchedDesk, id: string): void {
    const draft = this.#site.state.drafts.get(id);
    const isPressed = wish && (!draft || JSON.stringify(draft.metadata).includes(wish.name));
    if (!isPressed) {
      this.#break(`U1 ${name} published ${id} without a press`);
      return;
    }
    if (wish.isUsed) this.#break(`U1 ${name} published ${id} twice for one press`);
    wish.isUsed = true;
    const [shown, there] = [wish.shown, wish.looked].map((marks) => [...new Set(marks)].sort().join());
    if (!wish.looked) this.#break(`U1 ${name} published ${id} without a look`);
    else if (shown !== there) this.#break(`U1 ${name} published ${id} with ${there}; shown was ${shown}`);
  }

  #checkFile(
    { name }: WatchedDesk,
    method: string,
    { id, key, rest }: { id: string; key: string; rest: string },
  ): void {
    const file = this.#site.state.drafts.get(id)?.files.get(key);
    if (!file) return;
    const looked = this.#looks.get(`${name} ${id}`)?.get(key);
    const isKnownDone = file.status === "completed" && looked !== undefined && looked !== "pending";
    if (method === "PUT" && rest.endsWith("/content") && (isKnownDone || looked === undefined))
      this.#break(`U5 ${name} put bytes to ${key}, which was ${looked ?? "not looked at"}`);
    if (method !== "DELETE" || rest !== `/files/${encodeURIComponent(key)}`) return;
    const [mark] = marksIn(file.bytes?.toString() ?? "");
    if (mark !== undefined && !this.#ledger.dropped.has(mark)) this.#break(`U5 ${name} removed ${key} (${mark})`);
  }

  after(desk: WatchedDesk, call: Seen, { status, headers, body, isLost }: Answer): void {
    const path = call.url.split("?")[0] ?? "";
    const standing = this.#standing();
    for (const mark of standing) this.#ledger.stood.add(mark);
    const [, saved] = /^\/api\/records\/([\w-]+)\/draft$/.exec(path) ?? [];
    if (call.method === "PUT" && saved !== undefined) {
      for (const mark of this.#before)
        if (!standing.has(mark) && !this.#ledger.dropped.has(mark))
          this.#break(`U3 ${desk.name} took ${mark} away, which nobody had overwritten`);
    }
    if (isLost) return;
    this.#noteLimit(desk.name, status, headers);
    // A call that was one too many did nothing. The next one needs a look of its own.
    if (status === 429 && path.endsWith("/actions/publish") && desk.wish)
      Object.assign(desk.wish, { isUsed: false, looked: undefined });
    const isFilesAdded = call.method === "POST" && path.endsWith("/files");
    if ((call.method === "GET" || isFilesAdded) && status < 300) this.#noteLook(desk, path, body);
  }

  #noteLimit(name: string, status: number, headers: Record<string, string>): void {
    const now = this.#environment.now();
    const resetAt = now + Number(headers["retry-after"] ?? 60) * 1_000_000;
    this.#limits.set(name, {
      silentUntil: status === 429 ? resetAt : (this.#limits.get(name)?.silentUntil ?? 0),
      most: Number(headers["x-ratelimit-limit"]),
      left: Number(headers["x-ratelimit-remaining"]),
      resetAt,
    });
  }

  #noteLook(desk: WatchedDesk, path: string, body: Buffer): void {
    const [, id = "", rest] = /^\/api\/records\/([\w-]+)\/draft(\/files)?$/.exec(path) ?? [];
    if (id === "") return;
    const answer = JSON.parse(body.toString());
    if (rest === "/files") {
      const entries = answer.entries as { key: string; status: string; checksum: string }[];
      this.#looks.set(`${desk.name} ${id}`, new Map(entries.map((file) => [file.key, file.status])));
      return;
    }
    const { wish } = desk;
    if (wish && body.includes(wish.name)) wish.looked = marksIn(JSON.stringify(answer.metadata));
  }

  /** The marks that stand in the metadata of drafts and records now. */
  #standing(): Set<string> {
    const { drafts, records } = this.#site.state;
    return new Set([...drafts.values(), ...records.values()].flatMap((content) => this.#marksOf(content)));
  }

  #marksOf(content: Content): readonly string[] {
    const known = this.#marks.get(content);
    if (known?.revision === content.revision) return known.marks;
    const marks = marksIn(JSON.stringify(content.metadata));
    this.#marks.set(content, { marks, revision: content.revision });
    return marks;
  }

  /** After something other than a call of a desk has changed the site. */
  look(): void {
    for (const mark of this.#standing()) this.#ledger.stood.add(mark);
  }
}
