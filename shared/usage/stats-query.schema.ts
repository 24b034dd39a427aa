import { z } from "zod";

/** The statistics by name, as InvenioRDM names them: what they count, and of what. */
export const statistics = {
  "record-view": { of: "recid", metrics: ["views", "unique_views"] },
  "record-view-all-versions": { of: "parent_recid", metrics: ["views", "unique_views"] },
  "record-download": { of: "recid", metrics: ["downloads", "unique_downloads", "data_volume"] },
  "record-download-all-versions": { of: "parent_recid", metrics: ["downloads", "unique_downloads", "data_volume"] },
} as const;

const names = Object.keys(statistics) as (keyof typeof statistics)[];
const id = z.string().max(200).optional();
const maxQueries = 100;

/** The body of `POST /api/stats`: any name → a statistic and what it is asked of. */
export const statsQueries = z
  .record(
    z.string(),
    z.strictObject({
      stat: z.enum(names),
      params: z.strictObject({ recid: id, parent_recid: id }).default({}),
    }),
  )
  .refine(
    (queries) => Object.keys(queries).length <= maxQueries,
    `At most ${maxQueries} statistics are asked at once.`,
  );
export type StatsQueries = z.infer<typeof statsQueries>;
export type StatsQuery = StatsQueries[string];

const count = z.int().optional();

/** The answer: the names of the query with their counts. */
export const statsAnswers = z.record(
  z.string(),
  z.object({
    ...{ recid: z.string().optional(), parent_recid: z.string().optional() },
    ...{ views: count, unique_views: count, downloads: count, unique_downloads: count, data_volume: count },
  }),
);
