import { type Fact, fieldsIn, metadataIn, statusesAre, type Trial } from "./fact.ts";

const save = ({ call, draft, body }: Trial, metadata: object, headers: Record<string, string> = {}) =>
  call("PUT", draft, { json: { ...body, metadata: { ...body.metadata, ...metadata } }, headers });

const revisionOf = async ({ call, draft }: Trial): Promise<number> =>
  Number((await call("GET", draft)).body?.revision_id);

/** Facts about the content of a draft. */
export const draftFacts: readonly Fact[] = [
  {
    number: "F1",
    says: "If-Match of a draft is a bare number: the right one saves, another is 412, the quoted form 400",
    async try(trial) {
      const revision = await revisionOf(trial);
      const at = (form: string) => save(trial, {}, { "if-match": form });
      return statusesAre([
        [await at(String(revision)), 200],
        [await at(String(revision)), 412],
        [await at(`"${revision}"`), 400],
      ]);
    },
  },
  {
    number: "F1",
    says: "each PUT moves the revision by 2",
    async try(trial) {
      const before = await revisionOf(trial);
      const after = Number((await save(trial, {})).body?.revision_id);
      return after === before + 2 ? undefined : `from ${before} to ${after}`;
    },
  },
  {
    number: "F3",
    says: "a draft saved without If-Match overwrites",
    async try(trial) {
      const saved = await save(trial, { title: "Saved without If-Match" });
      return metadataIn(saved).title === "Saved without If-Match" ? undefined : `answered ${saved.status}`;
    },
  },
  {
    number: "F4",
    says: "a wrong value and an unknown key are not stored, and named in `errors` of a 200",
    async try(trial) {
      const saved = await save(trial, { publication_date: "yesterday", unheard: "of" });
      const named = fieldsIn(saved).filter((field) => /^metadata\.(publication_date|unheard)$/.test(field));
      const stored = ["publication_date", "unheard"].filter((key) => key in metadataIn(saved));
      if (named.length === 2 && stored.length === 0) return undefined;
      return `${saved.status}, named: ${named.join(", ") || "none"}; stored: ${stored.join(", ") || "none"}`;
    },
  },
  {
    number: "F5",
    says: "an unknown id of a vocabulary refuses the whole save",
    try: async (trial) => statusesAre([[await save(trial, { resource_type: { id: "nope" } }), 400]]),
  },
  {
    number: "F6",
    says: "curly quotes become straight, and blanks around a title go",
    async try(trial) {
      const { title } = metadataIn(await save(trial, { title: "  A “curly” title " }));
      return title === 'A "curly" title' ? undefined : `the title is ${JSON.stringify(title)}`;
    },
  },
  {
    number: "F8",
    says: "a second reservation of a DOI is 400, and a PUT without `pids` keeps it",
    async try(trial) {
      const { call, draft } = trial;
      const path = `${draft}/pids/doi`;
      const first = await call("POST", path);
      if (first.status !== 201) return `reserving is not offered: ${first.status}`;
      const second = await call("POST", path);
      const kept = (await save(trial, {})).body?.pids as { doi?: unknown } | undefined;
      await call("DELETE", path);
      return statusesAre([[second, 400]]) ?? (kept?.doi ? undefined : "the DOI was dropped");
    },
  },
  {
    number: "F18",
    says: "ids of drafts are numbers (Zenodo)",
    try: async ({ id }) => (/^\d+$/.test(id) ? undefined : `this id is ${id}`),
  },
];
