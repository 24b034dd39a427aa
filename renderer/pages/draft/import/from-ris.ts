import type { Appeared } from "./appeared.ts";
import { dateOf, isDoiAddress, named, type ReadWork, workOf } from "./work.ts";

/** Each RIS entry as a work; one without its end is damaged. */
export function fromRis(text: string): ReadWork[] {
  const entries: Line[][] = [];
  const ended = new Set<Line[]>();
  let isOpen = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, tag, value = ""] = /^([A-Z][A-Z0-9]) {2}- ?(.*)$/.exec(line) ?? [];
    if (tag === "TY") entries.push([]);
    if (tag) isOpen = tag !== "ER";
    const newest = entries.at(-1);
    if (newest && !isOpen) ended.add(newest);
    const entry = isOpen ? newest : undefined;
    const last = entry?.at(-1);
    if (tag) entry?.push([tag, value.trim()]);
    // A long value goes on in the next line.
    else if (last && line.trim()) last[1] = `${last[1]} ${line.trim()}`;
  }
  return entries.map((entry) => workOfLines(entry, !ended.has(entry)));
}

type Line = [tag: string, value: string];

function workOfLines(entry: Line[], isDamaged: boolean): ReadWork {
  const all = (...tags: string[]) => entry.flatMap(([tag, value]) => (tags.includes(tag) && value ? [value] : []));
  const one = (...tags: string[]) => tags.flatMap((tag) => all(tag))[0];
  const [year, month, day] = (one("DA", "PY", "Y1") ?? "").split("/");
  return workOf({
    isDamaged,
    type: one("TY"),
    title: one("TI", "T1", "CT"),
    date: dateOf(year, month, day) ?? dateOf(one("PY", "Y1")?.slice(0, 4)),
    creators: all("AU", "A1").map(named),
    abstract: one("AB", "N2"),
    publisher: one("PB"),
    version: one("ET"),
    subjects: all("KW"),
    doi: one("DO", "UR"),
    appeared: risAppeared(one("TY") ?? "", one),
    unplaced: entry.flatMap(([tag, value]) => {
      const isLink = tag === "UR" && isDoiAddress(value);
      return value && !risRead.has(tag) && !isLink ? [{ name: tag, value }] : [];
    }),
  });
}

/** Tags of a RIS entry that `fromRis` reads. */
const risRead = new Set("TY DA PY Y1 TI T1 CT AU A1 AB N2 PB ET KW DO T2 JO JF JA BT VL IS SP EP SN CY M3".split(" "));

function risAppeared(type: string, one: (...tags: string[]) => string | undefined): Appeared {
  const pages = [one("SP"), one("EP")].filter(Boolean).join("–");
  const number = one("SN");
  const isIssn = number !== undefined && /^\d{4}-?\d{3}[\dXx]$/.test(number.trim());
  const isThesis = type === "THES";
  const isInBook = ["CHAP", "CPAPER", "CONF", "BOOK", "EDBOOK"].includes(type);
  return {
    journal: isInBook ? undefined : one("JF", "JO", "T2", "JA"),
    book: isInBook ? one("T2", "BT") : one("BT"),
    volume: one("VL"),
    issue: one("IS"),
    pages,
    ...(isIssn ? { issn: number } : { isbn: number }),
    place: one("CY"),
    ...(isThesis ? { university: one("PB"), thesisType: one("M3") } : {}),
  };
}
