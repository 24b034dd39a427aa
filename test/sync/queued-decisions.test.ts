import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { comment, type GivenReview, givenDraft, givenReview, givenSubmitted } from "../support/reviews.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi("replica");
  // Ada knows Bob from now on.
  await givenReview(api, "ada", "bob");
});
afterAll(() => api.close());

const plain = async (): Promise<GivenReview> => ({ draft: await givenDraft(api, "ada"), request: "" });
const reviewed = () => givenReview(api, "ada", "bob");
const submitted = () => givenSubmitted(api, "ada", "bob");

interface Row {
  name: string;
  given: () => Promise<GivenReview>;
  who?: string;
  /** Calls out of reach of the server, each with the status of its answer. */
  calls: [path: string, status: number, body?: unknown][];
  /** What the server has of the request, or of the record, in the end. */
  end: { status: string } | { is_published: boolean };
}

const publish = "POST draft/actions/publish";
const submit = "POST draft/actions/submit-review";
const review = "PUT draft/review";
const remove = "DELETE draft/review";

const rows: Row[] = [
  {
    name: "publish behind a queued review",
    given: plain,
    calls: [
      [review, 202],
      [publish, 400],
    ],
    end: { status: "draft" },
  },
  {
    name: "publish behind the removal of a review",
    given: reviewed,
    calls: [
      [publish, 400],
      [remove, 202],
      [publish, 202],
    ],
    end: { is_published: true },
  },
  {
    name: "publish behind one's own cancel",
    given: submitted,
    calls: [
      ["POST cancel", 202],
      [publish, 202],
    ],
    end: { is_published: true },
  },
  {
    name: "a review behind a queued publish",
    given: plain,
    calls: [
      [publish, 202],
      [review, 400],
    ],
    end: { is_published: true },
  },
  {
    name: "a cancel behind one's own queued submit",
    given: reviewed,
    calls: [
      ["POST submit", 202],
      ["POST cancel", 202],
      ["POST cancel", 202],
    ],
    end: { status: "cancelled" },
  },
  {
    name: "another submit behind a queued submit; the same one waits once",
    given: reviewed,
    calls: [
      [submit, 202],
      [submit, 202],
      ["POST submit", 400],
      [submit, 400, comment("Again")],
    ],
    end: { status: "submitted" },
  },
  {
    name: "another submit of a review that is queued itself",
    given: plain,
    calls: [
      [review, 202],
      [submit, 202],
      [submit, 400, comment("Again")],
    ],
    end: { status: "submitted" },
  },
  {
    name: "a review replaced or removed behind its queued submit",
    given: reviewed,
    calls: [
      [submit, 202],
      [review, 400],
      [remove, 400],
    ],
    end: { status: "submitted" },
  },
  ...[plain, reviewed].map((given) => ({
    name: `another review behind the queued submit and cancel of one that is ${given === plain ? "queued, too" : "known"}`,
    given,
    calls: [
      ...(given === plain ? ([[review, 202]] as Row["calls"]) : []),
      [submit, 202, comment("Please")],
      ["POST cancel", 202],
      [review, 202],
      [submit, 202],
      [submit, 400, comment("Again")],
      [review, 400],
    ] satisfies Row["calls"],
    end: { status: "submitted" },
  })),
  ...["POST submit", submit].flatMap((asked) =>
    (
      [
        ["another review", [review, 202], { status: "draft" }],
        ["publish", [publish, 202], { is_published: true }],
      ] satisfies [string, Row["calls"][number], Row["end"]][]
    ).map(([name, last, end]) => ({
      name: `${name} behind the cancel of a review that is queued, too, after ${asked}`,
      given: plain,
      calls: [
        [review, 202],
        [asked, 202, comment("Please")],
        ["POST cancel", 202, comment("Not yet")],
        last,
      ] satisfies Row["calls"],
      end,
    })),
  ),
  {
    name: "an accept behind one's own queued decline",
    given: submitted,
    who: "bob",
    calls: [
      ["POST decline", 202],
      ["POST decline", 202],
      ["POST accept", 400],
    ],
    end: { status: "declined" },
  },
];

describe("offline decisions are checked against local data and queued operations (hosts-and-sync 3, 4)", () => {
  test.each(rows)("$name", async ({ given, who = "ada", calls, end }) => {
    const { draft, request } = await given();
    await api.waitForSync();
    const client = await api.as(who);
    await client.post("/api/sync/pause");
    const receiver = { user: await api.idOf("bob") };
    let id = request;
    for (const [call, status, body] of calls) {
      const [method = "", path = ""] = call.split(" ");
      const url = path.startsWith("draft") ? `/api/records/${draft}/${path}` : `/api/requests/${id}/actions/${path}`;
      const answer = await client.call(method, url, call === review ? { receiver } : body);
      expect(answer.status, `${call}: ${answer.text}`).toBe(status);
      if (call === review && status === 202) id = answer.body.id;
    }
    await client.post("/api/sync/resume");
    await api.waitForSync();
    expect((await client.get("/api/sync/tray")).body.hits.hits).toEqual([]);
    const server = await api.onServer("ada");
    expect((await server.get("status" in end ? `/api/requests/${id}` : `/api/records/${draft}`)).body).toMatchObject(
      end,
    );
  });
});
