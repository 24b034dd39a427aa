import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { complete } from "../support/fake-invenio/complete.ts";
import {
  answered,
  fieldsOf,
  givenDraft,
  givenRecord,
  names,
  statusesOf,
  withFiles,
  withMetadata,
} from "./row-steps.ts";
import type { FactRow } from "./site-under-test.ts";

const tries = 6;

export const draftRows: readonly FactRow[] = [
  {
    fact: "F1",
    says: "If-Match is a bare integer and honoured; each PUT moves the revision by 2",
    holds: async ({ ada }) => {
      const { draft, revision } = await givenDraft(ada);
      const at = (form: string) => ({ headers: { "if-match": form } });
      const saved = answered(await ada.put(draft, complete, at(String(revision))), 200);
      equal(saved.body.revision_id, revision + 2);
      answered(await ada.put(draft, complete, at(String(revision))), 412);
      for (const form of [`"${revision + 2}"`, `W/"${revision + 2}"`, "*"])
        deepEqual(fieldsOf(answered(await ada.put(draft, complete, at(form)), 400)), ["if_match"]);
      answered(await ada.get(draft, { headers: { "if-none-match": saved.headers.get("etag") ?? "" } }), 200);
      answered(await ada.delete(draft, undefined, at(String(revision))), 412);
    },
  },
  {
    fact: "F2",
    says: "publishing takes no precondition",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      answered(await ada.post(`${draft}/actions/publish`, undefined, { headers: { "if-match": "999" } }), 202);
    },
  },
  {
    fact: "F3",
    says: "a whole draft saved without If-Match overwrites",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      await ada.put(draft, withMetadata({ title: "Written at the desk" }));
      const stale = answered(await ada.put(draft, withMetadata({ title: "An older copy" })), 200);
      equal(stale.body.metadata.title, "An older copy");
    },
  },
  {
    fact: "F4",
    says: "a wrong single value and an unknown key are not stored, and named in errors of a 200",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      const wrong = { title: "ab", publication_date: "yesterday", publisher: 5, unheard: "of" };
      const saved = answered(await ada.put(draft, withMetadata(wrong)), 200);
      names(saved, ...Object.keys(wrong).map((key) => `metadata.${key}`));
      for (const key of Object.keys(wrong)) ok(!(key in saved.body.metadata), `${key} was stored`);
      ok(!("errors" in (await ada.get(draft)).body));
    },
  },
  {
    fact: "F4",
    says: "what only breaks a rule over an object is stored as sent",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      const identifiers = [{ scheme: "orcid", identifier: "1" }];
      const wrong = {
        creators: [
          { person_or_org: { type: "organizational" } },
          { person_or_org: { type: "personal", family_name: "B", identifiers } },
        ],
        related_identifiers: [{ identifier: "10.1234/x", scheme: "doi" }],
      };
      const saved = answered(await ada.put(draft, withMetadata(wrong)), 200);
      names(
        saved,
        "metadata.creators.0.person_or_org.name",
        "metadata.creators.1.person_or_org.identifiers.0.identifier",
        "metadata.related_identifiers.0.relation_type",
      );
      const { creators, related_identifiers } = (await ada.get(draft)).body.metadata;
      equal(creators[0].person_or_org.type, "organizational");
      deepEqual(creators[1].person_or_org.identifiers, identifiers);
      equal(related_identifiers[0].identifier, "10.1234/x");
    },
  },
  {
    fact: "F4",
    says: "errors also name files.enabled, and an icon of a licence that is put back",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      const rights = [{ id: "cc-by-4.0", icon: "x" }];
      const saved = answered(await ada.put(draft, { ...withMetadata({ rights }), files: { enabled: true } }), 200);
      names(saved, "files.enabled", "metadata.rights.0.icon");
    },
  },
  {
    fact: "F4",
    says: "an embargo without an end and an unknown key in access are named, not refused",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      const access = { record: "public", files: "public", unheard: 1, embargo: { active: true } };
      names(answered(await ada.put(draft, { ...complete, access }), 200), "access.embargo.until", "access.unheard");
    },
  },
  {
    fact: "F5",
    says: "an unknown id of a vocabulary refuses the whole save, without errors",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      const body = withMetadata({ resource_type: { id: "nope" }, title: "Lost with it" });
      const refused = answered(await ada.put(draft, body), 400, "Invalid value nope.");
      ok(!("errors" in refused.body));
      equal((await ada.get(draft)).body.metadata.title, complete.metadata.title);
    },
  },
  {
    fact: "F5",
    says: "access with one part missing or wrong refuses the whole save, field access",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      for (const access of [{ record: "public" }, { files: "public" }, { record: "nope", files: "public" }])
        deepEqual(fieldsOf(answered(await ada.put(draft, { ...complete, access }), 400)), ["access"]);
    },
  },
  {
    fact: "F5",
    says: "two saves at once: `Invalid value` for an id that is right, not 412",
    holds: async ({ ada, together }) => {
      const seen = new Set<string>();
      for (let left = tries; left > 0; left--) {
        const { draft, revision } = await givenDraft(ada);
        const save = () => ada.put(draft, complete, { headers: { "if-match": String(revision) } });
        for (const { status, body } of await together("PUT", draft, save, save))
          seen.add(status === 400 ? `400 ${body.message}` : String(status));
      }
      ok(
        [...seen].some((each) => /^400 Invalid value /.test(each)),
        `seen: ${[...seen]}`,
      );
    },
  },
  {
    fact: "F6",
    says: "texts come back changed",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      const person = { type: "personal", family_name: "Lovelace", given_name: "Ada", name: "Somebody Else" };
      const identifiers = [{ identifier: "https://orcid.org/0000-0002-1825-0097" }];
      const body = withMetadata({
        title: "  The “curly” ﬁle <b>bold</b> e\u0301\u200b\u0007 ",
        description: "<p onclick='x'>Hello <script>alert(1)</script><b>you</b></p>",
        creators: [{ person_or_org: { ...person, identifiers } }],
      });
      const { metadata } = answered(await ada.put(draft, body), 200).body;
      equal(metadata.title, 'The "curly" file <b>bold</b> \u00e9');
      equal(metadata.description, "<p>Hello alert(1)<b>you</b></p>");
      equal(metadata.creators[0].person_or_org.name, "Lovelace, Ada");
      deepEqual(metadata.creators[0].person_or_org.identifiers, [
        { identifier: "0000-0002-1825-0097", scheme: "orcid" },
      ]);
    },
  },
  {
    fact: "F6",
    says: "14 does not know publication-thesis",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      answered(await ada.put(draft, withMetadata({ resource_type: { id: "publication-thesis" } })), 400);
    },
  },
  {
    fact: "F8",
    says: "POST draft and POST versions return the one that is there; POST records does not",
    holds: async ({ ada }) => {
      const { id, record } = await givenRecord(ada);
      const first = answered(await ada.post(`${record}/draft`), 201);
      equal(answered(await ada.post(`${record}/draft`), 201).body.revision_id, first.body.revision_id);
      const version = answered(await ada.post(`${record}/versions`), 201);
      notEqual(version.body.id, id);
      equal(answered(await ada.post(`${record}/versions`), 201).body.id, version.body.id);
      notEqual((await givenDraft(ada)).id, (await givenDraft(ada)).id);
    },
  },
  {
    fact: "F8",
    says: "at the same moment POST versions makes two drafts",
    holds: async ({ ada, together }) => {
      let twins = 0;
      for (let left = tries; left > 0 && twins === 0; left--) {
        const { record } = await givenRecord(ada);
        const make = () => ada.post(`${record}/versions`);
        const [one, other] = await together("POST", `${record}/versions`, make, make);
        if (one.status === 201 && other.status === 201 && one.body.id !== other.body.id) twins++;
      }
      ok(twins > 0, "no twins");
    },
  },
  {
    fact: "F8",
    says: "a second DOI is 400; a PUT without pids keeps it, pids: {} drops it",
    needs: "DataCite, which is off",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada);
      const { doi } = answered(await ada.post(`${draft}/pids/doi`), 201).body.pids;
      answered(await ada.post(`${draft}/pids/doi`), 400);
      deepEqual((await ada.put(draft, complete)).body.pids.doi, doi);
      deepEqual((await ada.put(draft, { ...complete, pids: {} })).body.pids, {});
    },
  },
  {
    fact: "F9",
    says: "publishing consumes the draft: a second call is 404",
    holds: async ({ ada }) => {
      const { draft } = await givenRecord(ada);
      answered(await ada.post(`${draft}/actions/publish`), 404, "Not found.");
    },
  },
  {
    fact: "F9",
    says: "two publications at once are 202 and 500",
    holds: async ({ ada, together }) => {
      const seen: string[] = [];
      for (let left = tries; left > 0 && !seen.includes("202,500"); left--) {
        const at = `${(await givenDraft(ada)).draft}/actions/publish`;
        const answers = await together(
          "POST",
          at,
          () => ada.post(at),
          () => ada.post(at),
        );
        seen.push(String(answers.map(({ status }) => status).sort()));
      }
      ok(seen.includes("202,500"), `seen: ${seen.join("; ")}`);
    },
  },
  {
    fact: "F17",
    says: "a deleted draft leaves no trace: 404 both ways",
    holds: async ({ ada }) => {
      const { record, draft } = await givenDraft(ada);
      answered(await ada.delete(draft), 204);
      statusesOf([await ada.get(draft), await ada.get(record)], [404, 404]);
    },
  },
  {
    fact: "F18",
    says: "an id that is sent is ignored",
    holds: async ({ ada }) => {
      notEqual((await givenDraft(ada, { ...complete, id: "abcde-fghij" })).id, "abcde-fghij");
    },
  },
];
