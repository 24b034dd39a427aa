/** Error codes of OAI-PMH 2.0, section 3.6. */
export type OaiErrorCode =
  | "badVerb"
  | "badArgument"
  | "badResumptionToken"
  | "cannotDisseminateFormat"
  | "idDoesNotExist"
  | "noRecordsMatch"
  | "noMetadataFormats";

/** An error of the protocol, answered with status 200. */
export class OaiError extends Error {
  readonly code: OaiErrorCode;

  constructor(code: OaiErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type Verb = "Identify" | "ListMetadataFormats" | "ListSets" | "GetRecord" | "ListIdentifiers" | "ListRecords";

const listing = { required: ["metadataPrefix"], optional: ["from", "until", "set"], isResumable: true };

const rules: Record<Verb, { required: string[]; optional: string[]; isResumable: boolean }> = {
  Identify: { required: [], optional: [], isResumable: false },
  ListMetadataFormats: { required: [], optional: ["identifier"], isResumable: false },
  ListSets: { required: [], optional: [], isResumable: true },
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [], isResumable: false },
  ListIdentifiers: listing,
  ListRecords: listing,
};

const isVerb = (text: string): text is Verb => Object.hasOwn(rules, text);

export interface OaiRequest {
  verb: Verb;
  /** The other arguments. */
  given: ReadonlyMap<string, string>;
}

const bad = (message: string): OaiError => new OaiError("badArgument", message);

/** Checks verb and names of arguments. @throws OaiError `badVerb`, `badArgument`. */
export function readOaiRequest(sent: URLSearchParams): OaiRequest {
  const verbs = sent.getAll("verb");
  const [verb = ""] = verbs;
  if (verbs.length === 0) throw new OaiError("badVerb", "The argument 'verb' is missing.");
  if (verbs.length > 1) throw new OaiError("badVerb", "The argument 'verb' is repeated.");
  if (!isVerb(verb)) throw new OaiError("badVerb", `'${verb}' is not a verb of OAI-PMH.`);
  const { required, optional, isResumable } = rules[verb];
  const names = [...sent.keys()].filter((name) => name !== "verb");
  for (const name of new Set(names)) {
    const isKnown = required.includes(name) || optional.includes(name) || (isResumable && name === "resumptionToken");
    if (!isKnown) throw bad(`The verb ${verb} has no argument '${name}'.`);
    if (sent.getAll(name).length > 1) throw bad(`The argument '${name}' is repeated.`);
  }
  const given = new Map(names.map((name) => [name, sent.get(name) ?? ""]));
  if (given.has("resumptionToken")) {
    if (given.size > 1) throw bad("The argument 'resumptionToken' excludes all others.");
    return { verb, given };
  }
  const missing = required.find((name) => !given.has(name));
  if (missing) throw bad(`The argument '${missing}' is missing.`);
  return { verb, given };
}

const microsPerSecond = 1_000_000;
const secondsPerDay = 86_400;

/** Microseconds as a time with seconds, the granularity of all answers. */
export const oaiTime = (micros: number): string =>
  `${new Date(Math.floor(micros / microsPerSecond) * 1000).toISOString().slice(0, 19)}Z`;

interface Bound {
  first: number;
  last: number;
  isDay: boolean;
}

/** The first and last microsecond of a day or second. */
function readBound(name: string, text: string): Bound {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isSecond = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text);
  const time = isDay || isSecond ? Date.parse(text) : Number.NaN;
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.replace("Z", ""));
  if (!isReal) throw bad(`The argument '${name}' must be a day (YYYY-MM-DD) or a time (YYYY-MM-DDThh:mm:ssZ).`);
  const first = time * 1000;
  return { first, last: first + (isDay ? secondsPerDay : 1) * microsPerSecond - 1, isDay };
}

/** The range of times in microseconds, both ends included; `until` is undefined if it is not given. */
export function readRange(given: ReadonlyMap<string, string>): { from: number; until: number | undefined } {
  const [from, until] = ["from", "until"].map((name) => {
    const text = given.get(name);
    return text === undefined ? undefined : readBound(name, text);
  });
  if (from && until && from.isDay !== until.isDay) throw bad("'from' and 'until' must have the same granularity.");
  if (from && until && from.first > until.last) throw bad("'from' is later than 'until'.");
  return { from: from?.first ?? 0, until: until?.last };
}

/** The set that is asked for. */
export function readSet(given: ReadonlyMap<string, string>): string | undefined {
  const set = given.get("set");
  if (set === undefined || /^[\w\-.!~*'()]+(:[\w\-.!~*'()]+)*$/.test(set)) return set;
  throw bad("The argument 'set' is not a setSpec.");
}
