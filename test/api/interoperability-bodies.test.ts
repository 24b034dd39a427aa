import { describe, expect, test } from "vitest";
import { vendorType } from "../../shared/kernel/negotiation.ts";
import { roles, startApi } from "../support/api.ts";
import { ApiDocument } from "../support/api-document.ts";
import { givenRecord, metadata, withoutFiles } from "../support/records.ts";
import { comment, givenReview, givenSubmitted } from "../support/reviews.ts";

const asVendor = (language: string) => ({ headers: { accept: vendorType, "accept-language": language } });

describe.each(roles)("what bodies have, on the %s", (role) => {
  test("vocabularies in the reader's language under the vendor type (interoperability 2, issue 18)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const path = "/api/vocabularies/resourcetypes";
    const { body } = await alice.get(`${path}?q=id:dataset`, asVendor("de"));
    expect(body.hits.hits[0]).toMatchObject({ id: "dataset", title: { en: "Dataset" }, title_l10n: "Datensatz" });
    expect((await alice.get(`${path}/dataset`, asVendor("fr"))).body.title_l10n).toBe("Jeu de données");
    expect((await alice.get(`${path}/dataset`)).body.title_l10n).toBeUndefined();
    const licence = (await alice.get("/api/vocabularies/licenses/mit", asVendor("en"))).body;
    expect(licence.description_l10n).toBe(licence.description.en);
  });

  test("orders by name and subject; data papers; short ARKs; languages of two letters (interoperability 21, issue 18)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    for (const [type, sort] of [
      ["affiliations", "name"],
      ["names", "name"],
      ["funders", "name"],
      ["subjects", "subject"],
      ["awards", "title"],
    ]) {
      const { status, body } = await alice.get(`/api/${type}?sort=${sort}`);
      expect([type, status, body.sortBy]).toEqual([type, 200, sort]);
      expect((await alice.get(`/api/${type}`)).body.sortBy).toBe(sort);
      expect((await alice.get(`/api/${type}?sort=title`)).status).toBe(200);
    }
    const { body } = await alice.get("/api/vocabularies/resourcetypes/publication-datapaper");
    expect(body.props).toMatchObject({ type: "publication", datacite_general: "DataPaper" });
    const sent = {
      ...metadata,
      identifiers: [{ identifier: "ark:/b5/x3" }, { identifier: "ark:12/abc", scheme: "ark" }],
      rights: [{ title: { en: "Own" } }, { title: { eng: "Own" } }],
    };
    const saved = (await alice.post("/api/records", { ...withoutFiles, metadata: sent })).body;
    expect(saved.errors).toEqual([{ field: "metadata.rights.1.title", messages: [expect.any(String)] }]);
    expect(saved.metadata.identifiers).toMatchObject([{ scheme: "ark" }, { scheme: "ark" }]);
  });

  test("grants have their place as id; expanded subjects; reviews with title and links (interoperability 23, 44, issue 18)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    await api.as("bob");
    await api.as("carol");
    const [bob, carol] = [await api.idOf("bob"), await api.idOf("carol")];
    const id = await givenRecord(alice);
    const path = `/api/records/${id}/access`;
    const grants = [bob, carol].map((user) => ({ permission: "view", subject: { type: "user", id: user } }));
    await alice.post(`${path}/grants`, { grants });
    const listed = (await alice.get(`${path}/grants?expand=1`)).body.hits.hits;
    expect(listed).toMatchObject([
      { id: 0, subject: { id: bob }, origin: null, expanded: { subject: { id: bob, username: "bob" } } },
      { id: 1, subject: { id: carol }, origin: null, expanded: { subject: { username: "carol" } } },
    ]);
    expect((await alice.get(`${path}/grants/1`)).body).toMatchObject({ id: 1, subject: { id: carol } });
    expect((await alice.get(`${path}/users/${carol}`)).body).toMatchObject({ id: 1 });
    expect((await alice.get(`${path}/grants`)).body.hits.hits[0].expanded).toBeUndefined();
    expect(
      (await alice.get(`/api/records/${id}`)).body.parent.access.grants.map((one: { id: number }) => one.id),
    ).toEqual([0, 1]);
    const { request, draft } = await givenSubmitted(api, "alice", "bob", "A core");
    const review = (await alice.get(`/api/records/${draft}/draft`)).body.parent.review;
    expect(review).toMatchObject({
      id: request,
      type: "default-request",
      status: "submitted",
      receiver: { user: bob },
    });
    expect(review.title).toBe("A core");
    expect(review.links).toEqual({
      self: expect.stringMatching(`/api/requests/${request}$`),
      self_html: expect.stringMatching(`/me/requests/${request}$`),
    });
    expect((await alice.get(`/api/requests/${request}`)).body.files).toEqual({ enabled: true });
  });

  test("an interval that is not EDTF is reported (interoperability 26, issue 18)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const dates = [{ date: "2019-01/..", type: { id: "collected" } }];
    const sent = { ...withoutFiles, metadata: { ...metadata, publication_date: "2019-01/..", dates } };
    const { status, body } = await alice.post("/api/records", sent);
    expect(status).toBe(201);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      "metadata.dates.0.date",
      "metadata.publication_date",
    ]);
    expect((await alice.post(`/api/records/${body.id}/draft/actions/publish`)).body.errors).toContainEqual({
      field: "metadata.publication_date",
      messages: ["Missing data for required field."],
    });
  });
});

test("people are found by near spellings, after those who are named so (interoperability 25, issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  for (const name of ["carol", "carlo", "bob"]) await api.as(name);
  const suggest = async (text: string) => {
    const { body } = await alice.get(`/api/users?suggest=${encodeURIComponent(text)}`);
    const found = body.hits.hits.map((user: { username: string }) => user.username);
    expect(body.hits.total).toBe(found.length);
    return found;
  };
  expect(await suggest("carlo")).toEqual(["carlo", "carol"]);
  expect(await suggest("caro")).toEqual(expect.arrayContaining(["carol"]));
  expect(await suggest("crol")).toContain("carol");
  expect(await suggest("zebra")).toEqual([]);
  expect(await suggest("carlo@example.org")).not.toContain("carol");
});

test("a family whose versions are all deleted is gone, with the latest tombstone (interoperability 12, issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const admin = await api.as("admin");
  const first = await givenRecord(alice);
  const parent = (await alice.get(`/api/records/${first}`)).body.parent.id;
  const second = (await alice.post(`/api/records/${first}/versions`)).body.id;
  await alice.put(`/api/records/${second}/draft`, withoutFiles);
  await alice.post(`/api/records/${second}/draft/actions/publish`);
  const remove = (id: string, words: string) => admin.delete(`/api/records/${id}/delete`, { citation_text: words });
  expect((await remove(second, "The second")).status).toBe(204);
  expect((await alice.get(`/api/records/${parent}`)).status).toBe(302);
  expect((await remove(first, "The first")).status).toBe(204);
  expect(await alice.get(`/api/records/${parent}`)).toMatchObject({
    status: 410,
    body: { message: "Record deleted", tombstone: { citation_text: "The second" } },
  });
  const page = await api.anonymous.get(`/records/${parent}`, { headers: { accept: "text/html" } });
  expect([page.status, page.text.includes("The second")]).toEqual([410, true]);
});

test("/api/me names the groups that give rights; files of comments have the reference's keys (interoperability 23, 43, issue 18)", async () => {
  const api = await startApi("server");
  expect((await (await api.as("alice")).get("/api/me")).body.roles).toEqual([]);
  expect((await (await api.as("admin")).get("/api/me")).body.roles).not.toEqual([]);
  const alice = await api.as("alice");
  const { request } = await givenReview(api, "alice", "bob");
  const upload = `/api/requests/${request}/files/upload/notes.txt`;
  const { id } = (await alice.putBytes(upload, "text")).body;
  const sent = comment("See the file", { files: [{ file_id: id }] });
  const made = await alice.post(`/api/requests/${request}/comments?expand=1`, sent);
  expect(made.body.expanded.files).toMatchObject([{ id, file_id: id, original_filename: "notes.txt" }]);
});

test("the description of the API types every shape, and takes incomplete drafts (interoperability 10, 30, issue 18)", async () => {
  const api = await startApi("server");
  const document = await ApiDocument.of(api.anonymous);
  const { paths, components } = (await api.anonymous.get("/api/openapi.json")).body;
  const untyped: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    const isOpen = /\/(additionalProperties|properties|default)$/.test(path);
    if (Object.keys(value).length === 0 && !isOpen) untyped.push(path);
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`);
  };
  walk(components.schemas, "schemas");
  for (const [path, methods] of Object.entries(paths)) walk(methods, path);
  expect(untyped.filter((path) => path.endsWith("schema") || path.startsWith("schemas"))).toEqual([]);
  const validate = document.shape("/paths/~1records/post/requestBody/content/application~1json/schema");
  expect(validate({ metadata: { title: "Only a title" } }), JSON.stringify(validate.errors)).toBe(true);
  const content = paths["/records/{id}/files/{key}/content"].get.responses["200"].content;
  expect(Object.keys(content)).toEqual(expect.arrayContaining(["application/octet-stream", "image/png", "text/plain"]));
});
