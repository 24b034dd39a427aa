import { hasIsniCheckDigit } from "../identifiers/check-digits.schema.ts";
import { plainDoi } from "../identifiers/scheme.schema.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { fetchJson, NoAnswer } from "./fetch-json.ts";
import { organisationFrom, personFrom, workFrom } from "./found.presenter.ts";
import { type LookupKind, lookupKinds } from "./lookup.schema.ts";

const limits = { timeoutMs: 10_000, maxBytes: 1_000_000 };
/** Look-ups at the same time, so that slow services hold few connections. */
const maxAtOnce = 8;
/** The look-ups of one user at a time, so that no user takes all places. */
const maxOfUser = 2;

interface Kind {
  accept: string;
  /** The identifier in its plain form; undefined if the text is none. */
  read(text: string): string | undefined;
  found(id: string, body: unknown): unknown;
}

const kinds: Record<LookupKind, Kind> = {
  doi: {
    accept: "application/vnd.citationstyles.csl+json, application/json",
    read: (text) => /^10\.\d{4,9}\/[^\s"<>{}]{1,500}$/.exec(plainDoi(text))?.[0],
    found: (_id, body) => workFrom(body),
  },
  orcid: {
    accept: "application/json",
    read: (text) => {
      const [id] = /\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/.exec(text) ?? [];
      return id && hasIsniCheckDigit(id) ? id : undefined;
    },
    found: personFrom,
  },
  ror: {
    accept: "application/json",
    read: (text) => /^(?:https?:\/\/ror\.org\/)?(0[a-hj-km-np-tv-z\d]{6}\d{2})$/i.exec(text)?.[1]?.toLowerCase(),
    found: (id, body) => organisationFrom(id, body),
  },
};

export type LookupService = ReturnType<typeof lookupService>;

/** Looks identifiers up at the services that the operator named (app, missing 1). */
export function lookupService({ settings }: Pick<Host, "settings">) {
  const { private_hosts: privateHosts, ...services } = settings.lookup;
  /** Users whose look-ups are under way, once for each. */
  const underWay: string[] = [];

  async function ask(kind: LookupKind, id: string): Promise<unknown> {
    let refusal: NoAnswer | undefined;
    for (const address of services[kind]) {
      // The identifier stays within its place in the path.
      const url = address.replace("{id}", () => encodeURIComponent(id).replaceAll("%2F", "/"));
      try {
        const body = await fetchJson(url, kinds[kind].accept, { ...limits, privateHosts });
        const found = body === undefined ? undefined : kinds[kind].found(id, body);
        if (found !== undefined) return found;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        refusal = error;
      }
    }
    if (refusal) throw new Failure("unavailable", `The look-up failed: ${refusal.message}.`);
    throw notFound();
  }

  return {
    /** The kinds for which a service is named. */
    kinds: (): LookupKind[] => lookupKinds.filter((kind) => services[kind].length > 0),
    /**
     * @throws Failure `invalid` for a text that is no identifier, `not_found` if no service knows it or none is named,
     * `unavailable` if a service gave no answer, or too many look-ups are under way for the user or for all.
     */
    async find(userId: string, kind: LookupKind, text: string): Promise<unknown> {
      if (services[kind].length === 0) throw notFound();
      const id = kinds[kind].read(text.trim());
      if (id === undefined || id.split("/").includes(".."))
        throw new Failure("invalid", `This is not a valid ${kind}.`);
      const isFull = underWay.length >= maxAtOnce || underWay.filter((one) => one === userId).length >= maxOfUser;
      if (isFull) throw new Failure("unavailable", "Too many look-ups are under way. Try again soon.");
      underWay.push(userId);
      try {
        return await ask(kind, id);
      } finally {
        underWay.splice(underWay.indexOf(userId), 1);
      }
    },
  };
}
