import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, publish } from "../support/records.ts";
import { draftBody, recordWith } from "../support/searchable.ts";

const today = new Date().toISOString().slice(0, 10);
const month = today.slice(0, 7);
const year = today.slice(0, 4);

const rich = {
  title: "Deep-sea Ærøskøbing: a 3.14 study of O'Neill's snake_case, 1,000 cores & 東京の海",
  additional_titles: [{ title: "Tiefsee-Kerne", type: { id: "subtitle" }, lang: { id: "deu" } }],
  description: "<p>Salt&nbsp;water<br>under <b>pres</b>sure &lt;i&gt;slowly&lt;/i&gt; &eacute;l&egrave;ve</p>",
  additional_descriptions: [{ description: "<p>Drilled by <em>hand</em></p>", type: { id: "methods" } }],
  creators: [
    {
      person_or_org: {
        type: "personal",
        family_name: "Müller-Łukasz",
        given_name: "Zoë",
        identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
      },
      role: { id: "datacollector" },
      affiliations: [{ name: "Institute of Abyssal-Studies" }],
    },
  ],
  contributors: [
    { person_or_org: { type: "personal", family_name: "Curie", given_name: "Marie" }, role: { id: "other" } },
  ],
  publisher: "Mariana Press",
  publication_date: "2017-06",
  version: "v2.0-beta",
  formats: ["application/x-netcdf"],
  sizes: ["12 pages"],
  subjects: [{ subject: "Marine Geology" }],
  dates: [{ date: "2015-02/2015-04", type: { id: "collected" }, description: "spring cruise" }],
  languages: [{ id: "dan" }],
  rights: [{ id: "cc-by-4.0" }],
  references: [{ reference: "Hadal zone handbook" }],
  identifiers: [{ identifier: "https://cores.example.org/77", scheme: "url" }],
  related_identifiers: [
    { identifier: "10.1234/abc", scheme: "doi", relation_type: { id: "cites" }, resource_type: { id: "dataset" } },
  ],
  locations: { features: [{ place: "Challenger deep", description: "trench floor" }] },
  funding: [{ funder: { name: "Ocean Fund" }, award: { title: { en: "Hadopelagic" }, number: "HP-42" } }],
  copyright: "Nobody in particular",
};

/** What is asked, how many of the two records it finds, the row of the contract. */
const table: Record<string, readonly (readonly [q: string, total: number])[]> = {
  "4: fold, split, joined form, clean": [
    ["aeroskobing", 1],
    ["ÆRØSKØBING", 1],
    ["3.14", 1],
    ["14", 0],
    ["o'neill's", 1],
    ["neill", 0],
    ["snake_case", 1],
    ["snake", 0],
    ["1,000", 1],
    ["deepsea", 1],
    ['"deep sea"', 1],
    ['"sea deep"', 0],
    ["東", 1],
    ['"東京"', 1],
    ['"京東"', 0],
    ["lukasz", 1],
    ["MULLER", 1],
    ["pressure", 1],
    ['"salt water"', 1],
    ["br", 0],
    ["slowly", 1],
    ["i", 0],
    // Zero-width characters, of which texts are rid when they are stored (records 8).
    ["mari\u200cana", 1],
    ['"mari\u200dana \u2060press"', 1],
    ["metadata.publisher:mari\u200bana AND metadata.title.original:zo\u200dë", 0],
    ["metadata.title.original:ær\u200cøskøbing", 1],
    ["eleve", 1],
    ["studying", 0],
    ["the", 0],
    ["metadata.title.original:ærøskøbing", 1],
    ["metadata.title.original:aeroskobing", 0],
  ],
  "5.2: how clauses combine": [
    ["mariana plain", 2],
    ["mariana OR plain", 2],
    ["mariana AND plain", 0],
    ["+mariana +curie", 1],
    ["plain OR mariana AND curie", 1],
    ["mariana AND curie OR plain", 1],
    ["(mariana AND curie) OR plain", 2],
    ["mariana OR NOT curie", 0],
    ["mariana -curie", 0],
    ["NOT mariana AND plain", 1],
    ["-mariana +plain", 1],
    ["mariana - curie", 0],
    ["mariana && curie", 1],
    ["mariana || plain", 2],
    ["!mariana", 1],
    ["(-mariana)", 1],
    ["mariana and plain", 2],
    ["& mariana", 1],
    ["- &", 0],
  ],
  "5.3: items": [
    ["metadata.creators.person_or_org.family_name:(muller curie)", 1],
    ["metadata.publisher:mariana nothinghere", 1],
    ['"institute of abyssal"', 1],
    ['"institute abyssal"~1', 1],
    ['"institute abyssal"~0', 0],
    ['"abyssal institute"~2', 0],
    ['"abyssal institute"~3', 1],
    ["mar?ana", 1],
    ["*riana", 1],
    ["m*a", 1],
    ["metadata.version:v2*", 1],
    ["metadata.version:V2*", 0],
    ["metadata.version:v2.?\\-beta", 1],
    ["*:*", 2],
    ["metadata.dates:*", 1],
    ["_exists_:metadata.dates", 1],
    ["_exists_:metadata.nothing", 0],
    ["_exists_:metadata.dates.date", 1],
    ["_exists_:files", 2],
    ["mariena~", 1],
    ["mraiana~1", 1],
    ["marienne~1", 0],
    ["marienne~2", 1],
    ["metadata.publisher:/mar[a-z]+/", 1],
    ["metadata.publisher:/mar/", 0],
    ["metadata.version:/v\\d\\.0-.*/", 1],
    ["metadata.publication_date:[2017 TO 2018]", 1],
    ["metadata.publication_date:{2017-06 TO 2018]", 0],
    ["metadata.publication_date:2017", 0],
    ["metadata.publication_date:2017-06", 1],
    ["metadata.publication_date_range:2017", 1],
    ["metadata.publication_date_range:2017-06-15", 1],
    ["metadata.publication_date_range:>2017-06", 1],
    ["metadata.publication_date_range:[2017-07 TO 2019]", 0],
    ["metadata.publication_date_range:[2018 TO 2016]", 0],
    ["metadata.publication_date_range:{2017-06-10 TO 2017-06-11}", 0],
    ["metadata.publication_date_range:{2017-06-10 TO 2017-06-12}", 1],
    ["metadata.dates.date_range:2015-03-01", 1],
    ["versions.index:(>=1 AND <2)", 2],
    ["versions.index:[* TO 0]", 0],
    ["mariana^0 plain", 2],
    ["metadata.\\*:mariana", 1],
    ["metadata.*:mariana", 1],
    ["metadata.creators.*:zoe", 1],
    ["meta\\data.publisher:mariana", 1],
    [`created:${today}`, 2],
    [`created:${month}`, today.endsWith("-01") ? 2 : 0],
    [`created:[${month} TO now]`, 2],
    [`created:[${year} TO *]`, 2],
    [`created:>${today}`, 0],
    [`created:>=${today}`, 2],
    [`created:<${today}`, 0],
    [`created:<=${today}`, 2],
    ["created:[now-1h TO now+1h]", 2],
    ["created:[now/d TO now/d+1d]", 2],
    [`created:["${today} 00:00:00" TO "${today} 23:59:59.999999"]`, 2],
    [`created:[${today}T00:00:00Z TO ${today}T23:59:59+00:00]`, 2],
    ["updated:>2020-01-01", 2],
  ],
  "5.5: malformed and mistyped": [
    ["(mariana", 1],
    ['"mariana', 1],
    ["mariana AND", 1],
    ["mariana:", 1],
    ["x:y:mariana", 1],
    ["mariana^", 1],
    ["/ mariana", 1],
    ["[2017 to 2018] mariana", 1],
    ["/(/ mariana", 1],
    [`${"(".repeat(101)}mariana${")".repeat(101)}`, 1],
    ["nothing.here:mariana", 0],
    ["internal_notes.note:mariana", 1],
    ["parent.access.links.token:mariana", 1],
    ["_exists_:parent.access.grants", 0],
    ["'; DROP TABLE record; --", 0],
    ["mariana NEAR/2 press", 1],
    ["{c0} : mariana", 1],
  ],
  "6.1: keywords": [
    ["id:nothing", 0],
    ["access.record:public", 2],
    ["access.record:Public", 0],
    ["access.files:public", 2],
    ["access.status:open", 1],
    ["metadata.resource_type.id:publication-article", 1],
    ["metadata.resource_type.props.subtype:publication-article", 1],
    ["metadata.languages.id:dan", 1],
    ["metadata.rights.id:cc-by-4.0", 1],
    ["metadata.creators.role.id:datacollector", 1],
    ["metadata.creators.person_or_org.type:personal", 2],
    ["metadata.creators.person_or_org.identifiers.identifier:0000-0002-1825-0097", 1],
    ["metadata.creators.person_or_org.identifiers.scheme:orcid", 1],
    ["metadata.related_identifiers.identifier:10.1234\\/abc", 1],
    ["metadata.related_identifiers.relation_type.id:cites", 1],
    ["metadata.dates.type.id:collected", 1],
    ['metadata.dates.date:"2015-02/2015-04"', 1],
    ['metadata.sizes:"12 pages"', 1],
    ["metadata.formats:application\\/x-netcdf", 1],
    ["application/x-netcdf", 1],
    ["v2.0-beta", 1],
    ["2017-06", 1],
    ['metadata.title.keyword:"A plain one"', 1],
    ['metadata.publisher.keyword:"Mariana Press"', 1],
    ['metadata.subjects.subject.keyword:"Marine Geology"', 1],
    ["metadata.subjects.subject.keyword:Marine", 0],
    ["metadata.funding.award.number.keyword:HP-42", 1],
    ["files.types:csv", 1],
    ["files.entries.key:table.csv", 1],
    ["files.entries.ext:csv", 1],
    ["files.mimetypes:text\\/csv", 1],
    ["files.entries.mimetype:text\\/csv", 1],
    ["files.entries.checksum:md5\\:*", 1],
    ["files.default_preview:table.csv", 1],
  ],
  "6.1: texts": [
    ["tiefsee", 1],
    ["tiefseekerne", 1],
    ["metadata.additional_titles.title.original:kerne", 1],
    ["drilled", 1],
    ["em", 0],
    ["abyssalstudies", 1],
    ["curie", 1],
    ['"marine geology"', 1],
    ["spring", 1],
    ["hadal", 1],
    ["cores.example.org", 1],
    ["challenger", 1],
    ["trench", 1],
    ['"ocean fund"', 1],
    ["HP-42", 1],
    ["hadopelagic", 0],
    ["metadata.funding.award.title.en:hadopelagic", 1],
    ["particular", 0],
    ["metadata.copyright:particular", 1],
    ["metadata.resource_type.title.en:article", 1],
    ["metadata.languages.title.en:danish", 1],
    ["danish", 0],
    ["title:mariana", 0],
    ["doi:x", 0],
  ],
  "6.1: numbers, booleans, times": [
    ["files.count:1", 1],
    ["files.count:>0", 1],
    ["files.total_bytes:8", 1],
    ["files.totalbytes:[1 TO 100]", 1],
    ["files.entries.size:8", 1],
    ["is_published:true", 2],
    ["versions.is_latest:true", 2],
    ["versions.is_latest_draft:true", 2],
    ["files.enabled:false", 1],
    ["access.embargo.active:false", 2],
    ["has_draft:false", 2],
    ["deletion_status:P", 2],
    ["_exists_:access.embargo.until", 0],
  ],
};

describe.each(roles)("what a query finds on the %s (search-and-conventions 4 to 6)", (role) => {
  let api: Api;
  let alice: HttpClient;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    const { metadata } = draftBody({ metadata: { ...rich, resource_type: { id: "publication-article" } } });
    const id = await givenDraft(alice, { files: { enabled: true }, metadata });
    await addFile(alice, id, "table.csv", "a,b\n1,2\n");
    const kept = await alice.put(`/api/records/${id}/draft`, {
      files: { enabled: true, default_preview: "table.csv" },
      metadata,
    });
    expect([kept.status, kept.body.errors]).toEqual([200, undefined]);
    await publish(alice, id);
    await recordWith(alice, { title: "A plain one" });
  });
  afterAll(() => api.close());

  test.each(Object.entries(table))("%s", async (_rows, cases) => {
    const wanted = Object.fromEntries(cases);
    const found: Record<string, unknown> = {};
    for (const [q] of cases) {
      const { status, body } = await alice.get(`/api/records?q=${encodeURIComponent(q)}`);
      found[q] = status === 200 ? body.hits.total : `${status} ${body.message}`;
    }
    expect(found).toEqual(wanted);
  });
});
