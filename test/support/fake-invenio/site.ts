import { randomUUID } from "node:crypto";
import { accessRoutes } from "./access.routes.ts";
import { type Answer, type Call, emptyAnswer, jsonAnswer, Refusal, serverError } from "./call.ts";
import { SiteClock } from "./clock.ts";
import { communityRoutes } from "./community.routes.ts";
import { containerRoutes } from "./container.routes.ts";
import { reindex } from "./content.ts";
import { draftRoutes } from "./draft.routes.ts";
import { fileRoutes, lastFileRoutes } from "./file.routes.ts";
import { IndexQueue } from "./index-queue.ts";
import { Limits } from "./limits.ts";
import { type Profile, type ProfileName, profiles } from "./profile.ts";
import { recordRoutes } from "./record.routes.ts";
import { requestRoutes } from "./request.routes.ts";
import { reviewRoutes } from "./review.routes.ts";
import { bodyOf, type Context, matches, negotiated, plain, type Route, type Site } from "./route.ts";
import { type Person, State } from "./state.ts";
import { Switches } from "./switches.ts";
import { uploadRoutes } from "./upload.routes.ts";
import { userRoutes } from "./user.routes.ts";
import { vocabularyRoutes } from "./vocabulary.routes.ts";

/** A call that arrived, with what it was answered. */
export interface Logged {
  method: string;
  /** Path without query. */
  path: string;
  url: string;
  at: number;
  person: string | undefined;
  headers: Call["headers"];
  body: Buffer;
  /** 0 while it runs, or where the answer was lost. */
  status: number;
}

interface Held {
  method: string;
  path: RegExp;
  opened: Promise<void>;
}

export interface SiteOptions {
  profile?: ProfileName;
  /** The address people see, without a slash at the end. */
  url?: string;
  /** Virtual time of a simulator; the machine's otherwise. */
  time?: () => number;
  /** Runs between the arrival of a call and its effect. */
  pace?: () => Promise<void>;
  /** Numbers for ids and tokens; random otherwise. */
  random?: () => number;
}

const routes: readonly Route[] = [
  ...[...draftRoutes, ...reviewRoutes, ...containerRoutes, ...uploadRoutes, ...fileRoutes, ...lastFileRoutes],
  ...[...recordRoutes, ...requestRoutes, ...communityRoutes, ...userRoutes, ...vocabularyRoutes, ...accessRoutes],
];
const writing = new Set(["POST", "PUT", "DELETE"]);
const htmlError = (status: number): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  body: Buffer.from(`<html><body><h1>${status}</h1></body></html>`),
});
/** A gateway wants a sign-in first. */
const toSignIn: Answer = { ...htmlError(302), headers: { ...htmlError(302).headers, location: "/login" } };

/** A stock InvenioRDM in memory, written from the facts F1 to F24 of the design. Knows calls and answers, no network. */
export class FakeSite implements Site {
  url: string;
  readonly profile: Profile;
  readonly clock: SiteClock;
  readonly switches = new Switches();
  readonly state = new State();
  readonly index = new IndexQueue();
  readonly limits: Limits;
  /** All calls in the order of their arrival. */
  readonly calls: Logged[] = [];
  readonly #pace: () => Promise<void>;
  readonly #random: () => number;
  readonly #running = new Map<string, number>();
  readonly #held: Held[] = [];
  #late: { at: number; call: Call }[] = [];
  #lastId = 1_000_000;

  constructor({
    profile = "invenio-14",
    url = "http://127.0.0.1",
    time,
    pace,
    random = Math.random,
  }: SiteOptions = {}) {
    this.url = url;
    this.profile = profiles[profile];
    this.clock = new SiteClock(time);
    this.limits = new Limits(this.clock, this.profile);
    this.#pace = pace ?? (() => new Promise((resolve) => setImmediate(resolve)));
    this.#random = random;
    Object.assign(this.switches, {
      groups: this.profile.groups,
      ranges: this.profile.ranges,
      parts: this.profile.parts,
      locking: this.profile.locking,
    });
    for (const sort of this.profile.missingSorts) this.switches.missingSorts.add(sort);
  }

  /** A person with a token. */
  person(name: string): { id: string; username: string; email: string; token: string } {
    const known = [...this.state.people.values()].find((each) => each.name === name);
    const person = known ?? { id: this.state.people.size + 1, name, email: `${name}@example.org` };
    this.state.people.set(person.id, person);
    const token = `token-${name}-${this.state.tokens.size + 1}`;
    this.state.tokens.set(token, person.id);
    return { id: String(person.id), username: name, email: person.email, token };
  }

  /** The token is dead from now on: its calls go on as those of a guest (F14). */
  revoke(token: string): void {
    this.state.tokens.delete(token);
  }

  /** An administrator deletes a record. @param isDraftKept whether its draft stays there */
  deleteRecord(id: string, isDraftKept = false): void {
    const record = this.state.records.get(id);
    if (!record) throw new Error(`there is no record ${id}`);
    record.tombstone = { removal_reason: { id: "take-down-request" } };
    if (!isDraftKept) this.state.drafts.delete(id);
    reindex(this, id);
  }

  /** Calls of this method and path wait before their effect. @returns lets them go on. */
  hold(method: string, path: RegExp): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = { method, path, opened: promise };
    this.#held.push(held);
    return () => {
      this.#held.splice(this.#held.indexOf(held), 1);
      resolve();
    };
  }

  newId(): string {
    if (this.profile.integerIds) return String(++this.#lastId);
    const letters = "0123456789abcdefghjkmnpqrstvwxyz";
    const word = () => Array.from({ length: 5 }, () => letters[Math.floor(this.#random() * 32)]).join("");
    return `${word()}-${word()}`;
  }

  newUuid(): string {
    if (this.#random === Math.random) return randomUUID();
    const hex = Array.from({ length: 32 }, () => Math.floor(this.#random() * 16).toString(16)).join("");
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5").slice(0, 36);
  }

  /** The answer to a call, after everything that faults do to it. */
  async call(call: Call): Promise<Answer> {
    await this.#carryOutLate();
    const path = call.url.split("?")[0] ?? "";
    const person = this.#personOf(call);
    const logged: Logged = {
      ...{ method: call.method, path, url: call.url, at: this.clock.now(), person: person?.name },
      ...{ headers: call.headers, body: call.body, status: 0 },
    };
    this.calls.push(logged);
    const caller = `${call.headers["user-agent"] ?? ""} ${call.address ?? ""}`;
    const isSearch = call.method === "GET" && /\/(user\/)?(records|requests\/?|communities)$/.test(path);
    const { headers, isOver } = this.limits.count(caller, person !== undefined, isSearch);
    const answer = isOver ? tooMany() : await this.#withFaults(call, path, person);
    const names = this.switches.limitHeaders;
    for (const name of Object.keys(headers))
      if (names === "none" || (names === "no-retry-after" && name === "retry-after")) delete headers[name];
    answer.headers = { ...headers, date: new Date(this.clock.now()).toUTCString(), ...answer.headers };
    if (!answer.isLost) logged.status = answer.status;
    return answer;
  }

  async #withFaults(call: Call, path: string, person: Person | undefined): Promise<Answer> {
    const fault = this.switches.faultOf(call.method, path);
    switch (fault?.kind) {
      case "lost-before":
        return { ...emptyAnswer(0), isLost: true };
      case "lost-after":
        return { ...(await this.#answer(call, path, person)), isLost: true };
      case "refused-500":
        return refusal(serverError());
      case "html-502":
        return htmlError(502);
      case "html-200":
        return htmlError(200);
      case "html-302":
        return toSignIn;
      case "html-404":
        return htmlError(404);
      case "html-413":
        return htmlError(413);
      case "too-many":
        return tooMany(this.switches.retryAfter);
      case "late-504":
        this.#late.push({ at: this.clock.now() + fault.lateMs, call });
        return htmlError(504);
      case "done-but-500":
      case "queue-down":
        return this.#doneBut500(call, path, person, fault.kind === "queue-down");
      default:
        return this.#answer(call, path, person);
    }
  }

  async #doneBut500(call: Call, path: string, person: Person | undefined, isListed: boolean): Promise<Answer> {
    const answer = await this.#answer(call, path, person, isListed);
    return answer.status < 400 ? refusal(serverError()) : answer;
  }

  async #carryOutLate(): Promise<void> {
    const due = this.#late.filter(({ at }) => at <= this.clock.now());
    this.#late = this.#late.filter((each) => !due.includes(each));
    for (const { call } of due) await this.#answer(call, call.url.split("?")[0] ?? "", this.#personOf(call));
  }

  #personOf(call: Call): Person | undefined {
    const token = /^Bearer (.+)$/i.exec(call.headers.authorization ?? "")?.[1];
    const id = token === undefined ? undefined : this.state.tokens.get(token);
    return id === undefined ? undefined : this.state.people.get(id);
  }

  async #answer(call: Call, path: string, person: Person | undefined, isListed = true): Promise<Answer> {
    const query = call.url.split("?")[1] ?? "";
    if (/[[\]{}"<>\\^`|]/.test(query))
      return refusal(new Refusal(400, "Error trying to decode a non urlencoded string."));
    const key = writing.has(call.method) ? writtenBy(path) : undefined;
    const before = key === undefined ? 0 : (this.#running.get(key) ?? 0);
    if (key !== undefined) this.#running.set(key, before + 1);
    try {
      await this.#pace();
      await Promise.all(
        this.#held
          .filter(({ method, path: at }) => method === call.method && at.test(path))
          .map(({ opened }) => opened),
      );
      this.index.isDeaf = !isListed;
      return this.#run(call, path, query, person, before > 0);
    } catch (error) {
      if (error instanceof Refusal) return refusal(error);
      throw error;
    } finally {
      this.index.isDeaf = false;
      if (key !== undefined) this.#running.set(key, (this.#running.get(key) ?? 1) - 1);
    }
  }

  #run(call: Call, path: string, query: string, person: Person | undefined, overlaps: boolean): Answer {
    for (const route of routes) {
      if (route.method !== call.method) continue;
      const params = matches(route, path);
      if (!params) continue;
      const type = negotiated(call.headers.accept, route.accepts ?? [plain]);
      if (person && writing.has(call.method) && this.switches.blocked.has(person.name))
        throw new Refusal(403, "Your account is blocked. Contact support.");
      const context: Context = {
        ...{ site: this, call, params, query: new URLSearchParams(query), person, overlaps },
        json: () => bodyOf(call),
      };
      const answer = route.run(context);
      return answer.headers["content-type"] === plain
        ? { ...answer, headers: { ...answer.headers, "content-type": type } }
        : answer;
    }
    throw otherwise(call.method, path);
  }
}

/** What a writing call writes: one draft or one request. */
const writtenBy = (path: string): string | undefined => /^\/api\/(records|requests)\/[^/]+/.exec(path)?.[0];

/** 308 where only the slash at the end is missing (F23), 405 for another method, else 404. */
function otherwise(method: string, path: string): Refusal {
  const fits = (at: string) => routes.some((route) => route.method === method && matches(route, at));
  if (!path.endsWith("/") && fits(`${path}/`)) return new Refusal(308, "Permanent Redirect", { location: `${path}/` });
  if (routes.some((route) => matches(route, path)))
    return new Refusal(405, "The method is not allowed for the requested URL.");
  return new Refusal(
    404,
    "The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.",
  );
}

const tooMany = (retryAfter?: string): Answer =>
  jsonAnswer(
    { status: 429, message: "Rate limit exceeded." },
    429,
    retryAfter === undefined ? {} : { "retry-after": retryAfter },
  );

function refusal(error: Refusal): Answer {
  const { location, ...rest } = error.rest;
  if (typeof location === "string")
    return { status: error.status, headers: { location, "content-type": "text/html" }, body: Buffer.from("") };
  return jsonAnswer({ status: error.status, message: error.message, ...rest }, error.status);
}
