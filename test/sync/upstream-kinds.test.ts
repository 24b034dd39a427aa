import { expect, test } from "vitest";
import { givenFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { HttpClient } from "../support/http-client.ts";
import { newReplica } from "../support/two-replicas.ts";

test.each(["invenio-13", "invenio-14", "zenodo"] as const)(
  "connecting to %s says plainly that it cannot be used yet, and stores nothing (upstreams 5.1)",
  async (profile) => {
    const fake = await givenFakeInvenio({ profile });
    const replica = await newReplica();
    const client = new HttpClient(replica.url, replica.door.secret);
    const form = { server: fake.url, token: fake.person("ada").token };
    const answer = await client.post("/api/sync/connect", form);
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^This is an InvenioRDM or Zenodo\./) },
    });
    expect((await client.get("/api/sync/status")).body).toMatchObject({ state: "local", server: null, user: null });
  },
);
