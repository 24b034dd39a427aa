import type { Db } from "../database/open.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField } from "../kernel/failure.ts";
import type { RecordService } from "../records/record.service.ts";
import { type StatsQueries, type StatsQuery, statistics } from "./stats-query.schema.ts";
import { countsOf } from "./usage.presenter.ts";
import type { UsageService } from "./usage.service.ts";

interface Parts {
  records: RecordService;
  usage: UsageService;
}

/** Answers questions for the counts of records, as InvenioRDM does (interoperability 27). */
export function statsQueryService({ records, usage }: Parts) {
  /** The record that is asked about; undefined if there is none. @throws Failure 403 if the caller may not read it. */
  async function find(db: Db, caller: Caller, id: string, of: "recid" | "parent_recid") {
    try {
      const latest = of === "recid" ? id : await records.latestOfParent(db, id);
      return latest === undefined ? undefined : (await records.require(db, caller, latest)).record;
    } catch (error) {
      if (error instanceof Failure && (error.kind === "not_found" || error.kind === "gone")) return undefined;
      throw error;
    }
  }

  async function answer(db: Db, caller: Caller, name: string, { stat, params }: StatsQuery) {
    const { of, metrics } = statistics[stat];
    const id = params[of];
    if (id === undefined) throw invalidField(`${name}.params.${of}`, "Missing data for required field.");
    const record = await find(db, caller, id, of);
    const rows = record ? await usage.list(db, record) : [];
    const counts = countsOf(rows, id);
    const named = record && { ...(of === "recid" ? { recid: record.id } : {}), parent_recid: record.parent_id };
    return { ...named, ...Object.fromEntries(metrics.map((metric) => [metric, counts[metric]])) };
  }

  /** @throws Failure 403 for a record that the caller may not read. */
  return async function answerAll(db: Db, caller: Caller, queries: StatsQueries): Promise<Record<string, unknown>> {
    const answers: [string, unknown][] = [];
    for (const [name, query] of Object.entries(queries)) answers.push([name, await answer(db, caller, name, query)]);
    return Object.fromEntries(answers);
  };
}
