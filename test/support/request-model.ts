/** Depositor, reviewer, a stranger, a superuser, and a manager, who may preview every topic. */
export const people = ["ada", "bob", "cleo", "admin", "moderator"] as const;
export type Person = (typeof people)[number];

const actions = ["submit", "accept", "decline", "cancel", "expire", "request-changes", "request-review"] as const;
export const verbs = [
  ...actions,
  ...(["lock", "unlock", "comment", "reply", "change", "erase", "edit", "delete", "read", "time passes"] as const),
] as const;
export type Verb = (typeof verbs)[number];

/** One call of one person. */
export interface Step {
  verb: Verb;
  who: Person;
  /** Whether the action has a comment. */
  says: boolean;
  /** Whether the call sends an outdated revision. */
  isStale: boolean;
  /** Index of the comment. */
  at: number;
}

interface Event {
  author: Person | undefined;
  content: string;
  parent: Event | undefined;
  isComment: boolean;
  isLive: boolean;
  /** The event as in a timeline. */
  line(): string;
}

/** Model of a review: lifecycle and conversation. */
export interface Model {
  status: string;
  revision: number;
  isLocked: boolean;
  /** Reviewers who requested changes and were not asked again. */
  changesBy: Person[];
  isLinked: boolean;
  isPublished: boolean;
  isGone: boolean;
  events: Event[];
}

/** The text of every action's comment and of every edited comment. */
export const acted = "decided";
export const changed = "changed";

const isSuper = (who: Person): boolean => who === "admin";
const isClosed = (status: string): boolean => !["draft", "submitted"].includes(status);
const mayRead = ({ status }: Model, who: Person): boolean =>
  who === "ada" || isSuper(who) || (status !== "draft" && (who === "bob" || who === "moderator"));
const isHeldOff = ({ isLocked }: Model, who: Person): boolean => isLocked && !isSuper(who);

function log(model: Model, event: string): void {
  const line = () => `L ${event} 1`;
  model.events.push({
    ...{ author: undefined, content: "", parent: undefined, isComment: false, isLive: false },
    line,
  });
}

function print(model: Model, author: Person, content: string, parent?: Event): void {
  const event: Event & { revision: number } = {
    ...{ author, content, parent, isComment: true, isLive: true, revision: 1 },
    line: () => (event.isLive ? `C ${event.content} ${event.revision}` : `L comment_deleted ${event.revision}`),
  };
  model.events.push(event);
}

const outcomes: Record<string, string> = {
  ...{ submit: "submitted", accept: "accepted", decline: "declined", cancel: "cancelled" },
};

const events: Record<string, string> = {
  "request-changes": "changes_requested",
  "request-review": "review_requested",
};

/** Models a request for changes, and for another look at them. @returns whether it applies. */
function negotiate(model: Model, verb: Verb, who: Person): boolean {
  if (model.status !== "submitted") return false;
  const applies = verb === "request-changes" ? !model.changesBy.includes(who) : model.changesBy.length > 0;
  if (applies) model.changesBy = verb === "request-changes" ? [...model.changesBy, who] : [];
  return applies;
}

/** Models an action: its answer and its effect. */
function act(model: Model, { verb, who, says, isStale }: Step): number {
  const right = ["submit", "cancel", "request-review"].includes(verb) ? "ada" : "bob";
  if (verb === "expire" || (who !== right && !isSuper(who))) return 403;
  if (says && isHeldOff(model, who)) return 403;
  if (isStale) return 412;
  if (isClosed(model.status) || (verb === "submit" && model.status !== "draft")) return 400;
  if (verb.startsWith("request-") && !negotiate(model, verb, who)) return 400;
  const wasSubmitted = model.status === "submitted";
  model.status = outcomes[verb] ?? model.status;
  model.revision++;
  if (verb !== "submit") log(model, events[verb] ?? model.status);
  if (says) print(model, who, acted);
  if (verb === "accept" || verb === "cancel") model.isLinked = false;
  if (verb === "accept" && wasSubmitted) model.isPublished = true;
  return 200;
}

function lock(model: Model, who: Person, isLocking: boolean): number {
  if (!isSuper(who) && (who !== "bob" || model.status === "draft")) return 403;
  if (model.status === "draft") return 400;
  if (model.isLocked === isLocking) return 403;
  model.isLocked = isLocking;
  model.revision++;
  log(model, isLocking ? "locked" : "unlocked");
  return 204;
}

function edit(model: Model, { who, isStale }: Step): number {
  const isOpenTo = who === "ada" || (who === "bob" && model.status === "submitted");
  if (!isSuper(who) && (isClosed(model.status) || !isOpenTo)) return 403;
  if (isStale) return 412;
  model.revision++;
  return 200;
}

function remove(model: Model, { who, isStale }: Step): number {
  if (!isSuper(who) && (who !== "ada" || model.status !== "draft")) return 403;
  if (isStale) return 412;
  if (model.status !== "draft") return 400;
  model.isGone = true;
  model.isLinked = false;
  return 204;
}

/** Models calls about a comment. */
function touch(model: Model, step: Step, event: (Event & { revision?: number }) | undefined): number {
  const { verb, who, isStale } = step;
  if (!event) return 404;
  if (!mayRead(model, who)) return 403;
  if (verb === "reply") {
    if (isHeldOff(model, who)) return 403;
    if (event.parent) return 400;
    print(model, who, `by ${who}`, event);
    return 201;
  }
  const isHers = event.author === who || isSuper(who) || (verb === "erase" && who === "bob");
  if (!event.isLive || !isHers) return 403;
  if (verb === "change" && isHeldOff(model, who)) return 403;
  if (isStale) return 412;
  event.revision = (event.revision ?? 1) + 1;
  if (verb === "change") event.content = changed;
  else event.isLive = false;
  return verb === "change" ? 200 : 204;
}

/** Models a call: returns the expected status and updates the model. @param known number of comments. */
export function expected(model: Model, step: Step, known: number): number {
  const { verb, who } = step;
  if (verb === "time passes") {
    if (model.isGone) return 404;
    if (model.status !== "submitted") return 200;
    model.status = "expired";
    model.revision++;
    log(model, "expired");
    return 200;
  }
  if (model.isGone) return 404;
  if (verb === "read") return mayRead(model, who) ? 200 : 403;
  if (verb === "comment") {
    if (!mayRead(model, who) || isHeldOff(model, who)) return 403;
    print(model, who, `by ${who}`);
    return 201;
  }
  if (verb === "edit") return edit(model, step);
  if (verb === "delete") return remove(model, step);
  if (verb === "lock" || verb === "unlock") return lock(model, who, verb === "lock");
  if (verb === "reply" || verb === "change" || verb === "erase") {
    const comments = model.events.filter(({ isComment }) => isComment);
    return touch(model, step, comments[step.at % known]);
  }
  return act(model, step);
}
