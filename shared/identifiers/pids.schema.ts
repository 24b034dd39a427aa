import { z } from "zod";
import type { Problem } from "../kernel/failure.ts";
import { isObject } from "../kernel/json.ts";
import { isValidIdentifier, normaliseIdentifier } from "./scheme.schema.ts";

/** One persistent identifier of a record (records 5). */
export const pid = z.object({ identifier: z.string(), provider: z.string(), client: z.string().optional() });
export type Pid = z.infer<typeof pid>;
export const pids = z.object({ doi: pid.optional() });
export type Pids = z.infer<typeof pids>;

/** The `scheme` of rows with a DOI of a record, and with the DOI of all its versions (interoperability 13). */
export const doiScheme = "doi";
export const parentDoiScheme = "parent-doi";

/** The provider of the repository's own DOIs, and of DOIs from elsewhere. */
export const ownProvider = "datacite";
export const externalProvider = "external";

/** The facts that decide about `pids` of a draft. */
export interface PidSituation {
  /** The draft's present pids. */
  current: Pids;
  /** The repository's DOI prefix. */
  prefix: string;
  /** The current own DOI was registered when the record was published: it cannot change. */
  isRegistered: boolean;
}

export interface CheckedPids {
  value: Pids;
  problems: Problem[];
}

/** The DOI that the repository gives to a record. */
export const ownDoi = (prefix: string, recordId: string): Pid => ({
  identifier: `${prefix}/${recordId}`,
  provider: ownProvider,
  client: ownProvider,
});

/** The error of an external DOI that another record has (records 5). The service checks that in the database. */
export const takenDoi = (identifier: string): Problem => ({
  field: "pids.doi",
  messages: [`doi:${identifier} already exists.`],
});

const problem = (field: string, message: string): Problem => ({ field, messages: [message] });
const doiProblem = (message: string): Problem => problem("pids.doi", message);

const keptWhen = (keep: boolean, current: Pids): Pids => (keep && current.doi ? { doi: current.doi } : {});

/** The problem of an external DOI, judged by its text. */
function externalProblem(identifier: string, prefix: string): Problem | undefined {
  if (identifier === "") return doiProblem("Missing DOI for required field.");
  if (!isValidIdentifier("doi", identifier)) return doiProblem("Invalid DOI");
  if (!identifier.toLowerCase().startsWith(`${prefix.toLowerCase()}/`)) return undefined;
  return doiProblem(
    `The prefix '${prefix}' is managed by this repository. Please supply an external DOI, or reserve one here.`,
  );
}

function readExternal(sent: Record<string, unknown>, { current, prefix, isRegistered }: PidSituation): CheckedPids {
  if (isRegistered && current.doi?.provider === ownProvider) {
    return { value: current, problems: [doiProblem("A registered persistent identifier cannot be replaced.")] };
  }
  const identifier = sent.identifier ?? "";
  if (typeof identifier !== "string") {
    return { value: current, problems: [problem("pids.doi.identifier", "Not a valid string.")] };
  }
  const normalised = normaliseIdentifier("doi", identifier.trim());
  const refused = externalProblem(normalised, prefix);
  const stored = isValidIdentifier("doi", normalised) ? normalised : identifier;
  const client = typeof sent.client === "string" ? { client: sent.client } : {};
  const value = { doi: { identifier: stored, provider: externalProvider, ...client } };
  return { value, problems: refused ? [refused] : [] };
}

function readOwn(sent: Record<string, unknown>, { current }: PidSituation): CheckedPids {
  const reserved = current.doi?.provider === ownProvider ? current.doi : undefined;
  const isReserved = reserved !== undefined && sent.identifier === reserved.identifier;
  const problems = isReserved ? [] : [doiProblem("The identifier is not the one reserved for this draft.")];
  return { value: reserved ? { doi: reserved } : {}, problems };
}

function readDoi(sent: unknown, situation: PidSituation): CheckedPids {
  const { current } = situation;
  if (!isObject(sent)) {
    const message = sent === null ? "Field may not be null." : "Invalid input type.";
    return { value: current, problems: [doiProblem(message)] };
  }
  const ofKeys = Object.keys(sent)
    .filter((key) => !["identifier", "provider", "client"].includes(key))
    .map((key) => problem(`pids.doi.${key}`, "Unknown field."));
  if (sent.client !== undefined && typeof sent.client !== "string") {
    ofKeys.push(problem("pids.doi.client", sent.client === null ? "Field may not be null." : "Not a valid string."));
  }
  const { value, problems } =
    sent.provider === externalProvider
      ? readExternal(sent, situation)
      : sent.provider === ownProvider
        ? readOwn(sent, situation)
        : { value: current, problems: [doiProblem(providerMessage(sent.provider))] };
  return { value, problems: [...ofKeys, ...problems] };
}

const providerMessage = (provider: unknown): string =>
  provider === undefined
    ? "Missing provider of the persistent identifier."
    : "Unknown provider of the persistent identifier.";

/**
 * Reads `pids` of a draft body (records 5), as far as that needs no database. `value` is what the draft holds
 * afterwards, `problems` go to its `errors`. An invalid external DOI stays as sent. Publishing calls this function
 * again with the draft's own pids as input, and refuses it.
 * @param input `undefined` when the body has no `pids`: removes an external DOI, keeps an own one.
 */
export function readPids(input: unknown, situation: PidSituation): CheckedPids {
  const { current, isRegistered } = situation;
  const isOwn = current.doi?.provider === ownProvider;
  if (input === undefined) return { value: keptWhen(isOwn, current), problems: [] };
  if (!isObject(input)) {
    const message = input === null ? "Field may not be null." : "Invalid input type.";
    return { value: current, problems: [problem("pids", message)] };
  }
  const unknown = Object.keys(input)
    .filter((scheme) => scheme !== "doi")
    .map((scheme) => problem(`pids.${scheme}.key`, "Invalid persistent identifier scheme."));
  if (!Object.hasOwn(input, "doi")) return { value: keptWhen(isOwn && isRegistered, current), problems: unknown };
  const { value, problems } = readDoi(input.doi, situation);
  return { value, problems: [...unknown, ...problems] };
}
