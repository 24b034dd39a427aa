import { type Fact, hitsIn, statusesAre } from "./fact.ts";

const [lookMs, maxLooks] = [1000, 20];

/** Facts about lists, limits and tokens. */
export const siteFacts: readonly Fact[] = [
  {
    number: "F14",
    says: "an unknown token is 401 at /api/me, and else a guest's call: 403",
    async try({ call, draft }) {
      const token = "carrel-upstream-check-unknown";
      return statusesAre([
        [await call("GET", "/api/me", { token }), 401],
        [await call("GET", draft, { token }), 403],
      ]);
    },
  },
  {
    number: "F14",
    says: "/api/me names the user of the token",
    async try({ call }) {
      const { status, body } = await call("GET", "/api/me");
      return status === 200 && body?.id !== undefined ? undefined : `answered ${status}`;
    },
  },
  {
    number: "F15",
    says: "`application/json` is the old form of records (Zenodo)",
    async try({ call }) {
      const [first] = hitsIn(await call("GET", "/api/records?size=1", { headers: { accept: "application/json" } }));
      if (!first) return "there is no record to look at";
      return "conceptrecid" in first ? undefined : "it is the new form";
    },
  },
  {
    number: "F16",
    says: "every answer names the limit",
    async try({ call }) {
      const { headers } = await call("GET", "/api/user/records?size=1");
      return headers.has("x-ratelimit-remaining") ? undefined : "no X-RateLimit-Remaining";
    },
  },
  {
    number: "F16",
    says: "a page of 101 is 400 (Zenodo)",
    try: async ({ call }) => statusesAre([[await call("GET", "/api/user/records?size=101"), 400]]),
  },
  {
    number: "F17",
    says: "the user's list shows a new draft within seconds",
    async try({ call, id, pause }) {
      for (let looks = 1; looks <= maxLooks; looks++) {
        const hits = hitsIn(await call("GET", "/api/user/records?sort=updated-desc&size=25"));
        if (hits.some((hit) => String(hit.id) === id)) return undefined;
        await pause(lookMs);
      }
      return `not after ${maxLooks} looks`;
    },
  },
  {
    number: "F23",
    says: "/api/requests without its slash is 308",
    try: async ({ call }) => statusesAre([[await call("GET", "/api/requests"), 308]]),
  },
  {
    number: "F23",
    says: "requests may be sorted by their newest activity (from version 14)",
    try: async ({ call }) => statusesAre([[await call("GET", "/api/requests/?sort=newestactivity&size=1"), 200]]),
  },
];
