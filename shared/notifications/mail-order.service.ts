import type { Db } from "../database/open.ts";
import type { Host } from "../kernel/host.ts";
import { spokenLanguage } from "../kernel/spoken-language.ts";
import { insertJob } from "./notification.repository.ts";

/**
 * Orders a mail in the transaction of the change that it tells of. Notes the language of the page, if it was one.
 * @param recipient of a mail about a request, of which many are gathered in one.
 */
export async function orderMail(
  tx: Db,
  host: Pick<Host, "now" | "newUuid">,
  mail: object,
  recipient: string | null = null,
): Promise<void> {
  const language = spokenLanguage();
  const payload = JSON.stringify({ ...mail, ...(language === undefined ? {} : { language }) });
  const row = { id: host.newUuid(), kind: "mail", payload, run_at: host.now(), attempts: 0 };
  await insertJob(tx, { ...row, claimed_until: null, last_error: null, recipient });
}
