import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { draftBody, draftWith, recordWith } from "../support/searchable.ts";

const idsOf = ({ body }: Answer): string[] => body.hits.hits.map(({ id }: { id: string }) => id);
const totalOf = async (client: HttpClient, query: string): Promise<number> => {
  const { status, body, text } = await client.get(`/api/records?${query}`);
  if (status !== 200) throw new Error(text);
  return body.hits.total;
};
const queryOf = (q: string): string => `q=${encodeURIComponent(q)}`;

describe.each(roles)("searching records on the %s", (role) => {
  let api: Api;
  let alice: HttpClient;
  let ocean: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    ocean = await recordWith(alice, {
      title: "Open-Science of Ölfelder in the ocean",
      metadata: {
        description: "<p>Salinity &amp; <b>currents</b></p>",
        languages: [{ id: "eng" }, { id: "deu" }],
        subjects: [{ subject: "Ocean cores" }],
        resource_type: { id: "publication-article" },
        publication_date: "2019-03/2021",
        version: "v1.2",
      },
    });
    await recordWith(alice, { title: "Forests of the north", metadata: { subjects: [{ subject: "trees" }] } });
  });
  afterAll(() => api.close());

  test.each([
    ["ocean", 1],
    ["OCEAN", 1],
    ["olfelder", 1],
    ["ölfelder", 1],
    ["openscience", 1],
    ["open-science", 1],
    ['"open science"', 1],
    ['"science open"', 0],
    ['"science open"~2', 1],
    ["metadata.title:open", 1],
    ["metadata.title.original:ölfelder", 1],
    ["metadata.title.original:olfelder", 0],
    ["lovelace", 2],
    ["ocean forests", 2],
    ["ocean AND forests", 0],
    ["lovelace -forests", 1],
    ["NOT forests", 1],
    ["salin*", 1],
    ["*linity", 1],
    ["salinty~", 1],
    ["/salin.t[xy]/", 1],
    ["metadata.description:b", 0],
    ["currents", 1],
    ["metadata.languages.id:deu", 1],
    ["metadata.languages.title.en:german", 1],
    ["english", 0],
    ["metadata.publication_date:[2019 TO 2020]", 1],
    ["metadata.publication_date_range:2021-06-01", 1],
    ["metadata.publication_date_range:[2022 TO *]", 0],
    ["metadata.resource_type.props.type:publication", 1],
    ['metadata.subjects.subject.keyword:"Ocean cores"', 1],
    ["v1.2", 1],
    ["_exists_:metadata.languages", 1],
    ["metadata.creators.\\*:ada", 2],
    ["created:[now-1d TO now+1d]", 2],
    ["created:<now-1d", 0],
    ["versions.index:1", 2],
    ["versions.index:>=2", 0],
    ["is_published:true AND access.status:metadata-only", 2],
    ["no.such.field:x", 0],
    ["ocean no.such.field:x", 1],
    ["ocean (", 1],
    ["https://example.org/ocean", 1],
    ["') OR 1=1; --", 0],
    ["{title} : ocean", 1],
    ["ocean NEAR forests", 2],
    ["internal_notes.note:ocean", 1],
    ["_exists_:internal_notes", 0],
    ["&", 0],
    ["*", 2],
  ])("%s finds %i (search 4, 5, 6)", async (q, total) => {
    expect(await totalOf(alice, queryOf(q))).toBe(total);
  });

  test("an id and what is below it find the record", async () => {
    expect(idsOf(await alice.get(`/api/records?${queryOf(ocean)}`))).toEqual([ocean]);
    expect(await totalOf(alice, queryOf(`id:${ocean}`))).toBe(1);
  });

  test("aggregations count all matches, whatever the filters (search 8)", async () => {
    const { body } = await alice.get(
      "/api/records?resource_type=publication::publication-article&language=eng&language=fra&publication_date=2020",
    );
    expect(body.hits.total).toBe(1);
    expect(Object.keys(body.aggregations).sort()).toEqual(
      ["access_status", "file_type", "language", "publication_date", "resource_type", "subject"].sort(),
    );
    expect(body.aggregations.resource_type).toEqual({
      label: "Resource types",
      buckets: [
        { key: "dataset", doc_count: 1, label: "Dataset", is_selected: false, inner: { buckets: [] } },
        {
          key: "publication",
          doc_count: 1,
          label: "Publication",
          is_selected: false,
          inner: {
            buckets: [{ key: "publication-article", doc_count: 1, label: expect.any(String), is_selected: true }],
          },
        },
      ],
    });
    expect(body.aggregations.language).toEqual({
      label: "Languages",
      buckets: [
        { key: "deu", doc_count: 1, label: "German", is_selected: false },
        { key: "eng", doc_count: 1, label: "English", is_selected: true },
      ],
    });
    expect(body.aggregations.publication_date).toEqual({
      label: "Publication date",
      buckets: [
        { key: "2019", doc_count: 1, label: "2019", is_selected: false },
        { key: "2020", doc_count: 2, label: "2020", is_selected: true },
        { key: "2021", doc_count: 1, label: "2021", is_selected: false },
      ],
    });
    expect(body.aggregations.access_status.buckets).toEqual([
      { key: "metadata-only", doc_count: 2, label: "Metadata-only", is_selected: false },
    ]);
    expect(body.aggregations.file_type).toEqual({ label: "File type", buckets: [] });
  });

  test.each([
    [undefined, "German"],
    ["fr", "allemand"],
    ["fr-CA", "allemand"],
    ["de;q=0.5, fr;q=0.8", "allemand"],
    ["fr;q=0, de", "Deutsch"],
    ["fr;q=nonsense, de;q=0.1", "Deutsch"],
    ["tlh, *;q=0.1", "German"],
  ])("title language: best match of Accept-Language %s is %s, else English (search 8)", async (languages, label) => {
    const headers: Record<string, string> = languages === undefined ? {} : { "accept-language": languages };
    const { body } = await alice.get("/api/records?q=ocean", { headers });
    expect(body.aggregations.language.buckets[0]).toMatchObject({ key: "deu", label });
  });

  test.each([
    ["resource_type=publication", 1],
    ["resource_type=publication&resource_type=dataset", 2],
    ["resource_type=publication&resource_type=publication::publication-book", 0],
    ["access_status=metadata-only", 2],
    ["access_status=wrong", 0],
    ["access_status=wrong&access_status=metadata-only", 2],
    ["subject=trees", 1],
    ["subject=Trees", 0],
    ["publication_date=2019", 1],
    ["publication_date=..2018", 0],
    ["publication_date=2021..", 1],
    ["publication_date=2019..2020-05-16", 1],
    ["publication_date=(2020..2021]", 1],
    ["publication_date=2021..2019", 0],
    ["publication_date=(2019..2020)", 0],
    ["publication_date=(2018..2020)", 1],
    ["publication_date=nonsense", 2],
    ["publication_date=2020&language=eng", 1],
  ])("the filter %s leaves %i (search 8)", async (query, total) => {
    expect(await totalOf(alice, query)).toBe(total);
  });

  test("only the latest version, unless all are wanted; withdrawn ones leave (search 1)", async () => {
    const first = await recordWith(alice, { title: "Versioned zebra" });
    const { body: draft } = await alice.post(`/api/records/${first}/versions`);
    await alice.put(`/api/records/${draft.id}/draft`, draftBody({ title: "Versioned zebra two" }));
    expect(idsOf(await alice.get("/api/records?q=zebra"))).toEqual([first]);
    await alice.post(`/api/records/${draft.id}/draft/actions/publish`);
    expect(idsOf(await alice.get("/api/records?q=zebra"))).toEqual([draft.id]);
    const all = await alice.get("/api/records?q=zebra&allversions=true&sort=version");
    expect(idsOf(all)).toEqual([draft.id, first]);
    const versions = async (query: string) => alice.get(`/api/records/${first}/versions?${query}`);
    const named = await versions("q=two&size=5");
    expect([idsOf(named), named.body.hits.total, named.body.sortBy]).toEqual([[draft.id], 1, "version"]);
    expect(named.body.links.self).toContain("/versions?page=1&q=two&size=5&sort=version");
    expect(named.body).not.toHaveProperty("aggregations");
    expect(idsOf(await versions("q=zebra"))).toEqual([draft.id, first]);
    expect([(await versions("suggest=a")).status, (await versions("q=created:x")).status]).toEqual([400, 400]);
  });

  test("user records: drafts and records that the caller can edit, each family once (search 1)", async () => {
    const published = await recordWith(alice, { title: "Giraffe published" });
    const draft = await draftWith(alice, { title: "Giraffe draft" });
    const list = async (query: string) => alice.get(`/api/user/records?q=giraffe&sort=oldest&${query}`);
    const { body } = await list("");
    expect(body.hits.hits.map((hit: { id: string; is_published: boolean }) => [hit.id, hit.is_published])).toEqual([
      [published, true],
      [draft, false],
    ]);
    expect(body.aggregations.is_published).toEqual({
      label: "Status",
      buckets: [
        { key: "false", doc_count: 1, label: "Unpublished", is_selected: false },
        { key: "true", doc_count: 1, label: "Published", is_selected: false },
      ],
    });
    for (const spelled of ["false", "False", "0", "off"]) {
      const drafts = await list(`is_published=${spelled}`);
      expect([spelled, idsOf(drafts)]).toEqual([spelled, [draft]]);
      expect(drafts.body.links.self).toContain("is_published=false&");
      expect(drafts.body.aggregations.is_published.buckets[0]).toMatchObject({ key: "false", is_selected: true });
    }
    expect(idsOf(await list("is_published=perhaps"))).toEqual([]);
    await alice.post(`/api/records/${published}/draft`);
    expect((await list("")).body.hits.hits[0]).toMatchObject({ id: published, is_published: false });
    expect(idsOf(await list("shared_with_me=true"))).toEqual([]);
    expect(idsOf(await list("shared_with_me=false"))).toEqual([published, draft]);
    expect(idsOf(await alice.get("/api/records?q=giraffe"))).toEqual([published]);
    await alice.delete(`/api/records/${draft}/draft`);
    expect(idsOf(await list(""))).toEqual([published]);
  });

  test("the best match comes first (search 5.4)", async () => {
    await recordWith(alice, { title: "walrus alone" });
    const both = await recordWith(alice, { title: "walrus penguin" });
    await recordWith(alice, { title: "penguin alone" });
    expect(idsOf(await alice.get("/api/records?q=walrus%20penguin"))[0]).toBe(both);
    const boosted = await alice.get(`/api/records?${queryOf('"penguin alone"^100 walrus')}`);
    expect(boosted.body.hits.hits[0].metadata.title).toBe("penguin alone");
  });
});

test("restricted records show to nobody who may not read them (search 1)", async () => {
  const api = await startApi();
  const [alice, bob, admin] = [await api.as("alice"), await api.as("bob"), await api.as("admin")];
  const id = await recordWith(alice, { title: "Hidden okapi", access: { record: "restricted", files: "restricted" } });
  const draft = await draftWith(alice, { title: "Draft okapi" });
  const seen = async (client: HttpClient, path = "/api/records") => {
    const { body } = await client.get(`${path}?q=okapi`);
    const counted = body.aggregations.access_status.buckets.length;
    expect(counted === 0).toBe(body.hits.total === 0);
    return idsOf({ body } as Answer);
  };
  expect(await seen(alice)).toEqual([id]);
  expect(await seen(admin)).toEqual([id]);
  expect(await seen(bob)).toEqual([]);
  expect(await seen(api.anonymous)).toEqual([]);
  expect(await seen(bob, "/api/user/records")).toEqual([]);
  expect((await seen(alice, "/api/user/records")).sort()).toEqual([id, draft].sort());
  expect((await api.anonymous.get("/api/user/records")).status).toBe(403);
});
