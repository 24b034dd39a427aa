import type { Db } from "../../shared/database/open.ts";

const nameOf = (requestId: string): string => `comment-draft.${requestId}`;

/** The text in a request's editor that was not sent yet; empty when there is none. */
export async function readCommentDraft(db: Db, requestId: string): Promise<string> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", nameOf(requestId)).executeTakeFirst();
  return row?.value ?? "";
}

export async function keepCommentDraft(db: Db, requestId: string, content: string): Promise<void> {
  const name = nameOf(requestId);
  if (content === "") {
    await db.deleteFrom("setting").where("name", "=", name).execute();
    return;
  }
  await db
    .insertInto("setting")
    .values({ name, value: content })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: content }))
    .execute();
}
