import type { Patch } from "../source-patches.ts";

const at = "main/upstreams/invenio";
const inOnePlace = (file: string, find: string, put: string): Patch[] => [{ file: `${at}/${file}`, find, put }];

/** Mistakes of an adapter for a stock InvenioRDM that the simulator must find (upstreams 6). */
export const plantedInvenioBugs: Record<string, Patch[]> = {
  "a POST is repeated after a lost answer": [
    ...inOnePlace("write/draft-create.ts", "  if (attempt && !attempts.isDue(attempt)) return waits;\n", ""),
    ...inOnePlace("write/draft-create.ts", "  if (begun) {", "  if (begun && !attempt) {"),
    ...inOnePlace(
      "write/draft-create.ts",
      "  if (attempt && !(await attempts.lookedInVain(attempt))) return waits;\n",
      "",
    ),
    ...inOnePlace(
      "write/draft-create.ts",
      "  const twin = isWanted ? undefined",
      "  const twin = attempt || isWanted ? undefined",
    ),
  ],
  "the base is what was sent": inOnePlace(
    "write/draft-create.ts",
    "const next = settled.input as unknown as DraftInput;",
    "const next = sent;",
  ),
  "a 403 is believed": inOnePlace("rest-line.ts", "    if (isDenied(status)) await this.assertToken();\n", ""),
  "a list's silence is believed": inOnePlace(
    "poller.ts",
    'if (part === "draft" && (await this.#site.lookAtDraft(id, options))) return;',
    "",
  ),
  "bytes are put to a completed file": [
    ...inOnePlace("bytes.ts", 'if (there?.status === "completed") {', 'if (draftId === "") {'),
    ...inOnePlace("bytes.ts", 'if (there?.status !== "pending") return', "if (!there) return"),
  ],
  "a publication is repeated": inOnePlace(
    "write/publish.ts",
    "if (await attempts.find(operationId)) return lookFor(writing, operationId, id);",
    "",
  ),
  "a draft is published without a look": [
    ...inOnePlace(
      "write/publish.ts",
      "noDraft : waits;\n  const [record, draft] = [await site.lookAtRecord(id), await site.lookAtDraft(id)];\n  if (!draft) return (await publishedElsewhere(site, id, record)) ?? noDraft;",
      "noDraft : waits;\n  const record = undefined;",
    ),
    ...inOnePlace("write/publish.ts", "await differenceOf(site, operationId, draft);", "undefined;"),
  ],
  "what changed since the press is published": inOnePlace(
    "write/publish.ts",
    "if (difference !== undefined) return refused(409, difference);",
    "",
  ),
  "an old page of the form takes values away (E6)": inOnePlace(
    "lost-values.ts",
    "const reverted = await revertedSince(db, theirs, shadow);",
    "const reverted: Lost[] = [];",
  ),
  "the marker is left in": inOnePlace(
    "write/draft-create.ts",
    "let body = bodyOf(input);",
    "let body = bodyOf({ ...input, metadata: { ...input.metadata, version: markerOf(operationId) } }, {});",
  ),
  "two operations claim one comment": inOnePlace(
    "write/comments.ts",
    'if ((await findLocalId(site.db, "comment", id)) === undefined) return event;',
    "return event;",
  ),
  "a comment is sent again although the server may have taken it": inOnePlace(
    "write/comments.ts",
    'if (!(await attempts.lookedInVain(attempt))) return "wait";',
    "if (!(await attempts.lookedInVain(attempt))) return 'wait';\n  if (operationId !== '') return undefined;",
  ),
  "a restored desk writes its comments again": inOnePlace(
    "write/comments.ts",
    "if ((await findUnknownTwin(site, operationId, command, own)) === undefined) return undefined;",
    "if (operationId !== '') return undefined;",
  ),
  "If-Match is left out": inOnePlace(
    "write/draft-edit.ts",
    "const body = { json: bodyOf(input, basis.site), ifMatch: basis.revision };",
    "const body = { json: bodyOf(input, basis.site) };",
  ),
  "the second call of a creation has no If-Match": inOnePlace(
    "write/draft-create.ts",
    "{ json: body, ifMatch });",
    "{ json: body });",
  ),
  "the silence after a 429 is not kept": inOnePlace(
    "budget.policy.ts",
    "  if (nowMs < silentUntilMs) return silentUntilMs - nowMs;\n",
    "",
  ),
  "a file of somebody else is removed": [
    ...inOnePlace(
      "write/names-there.ts",
      "return !(await isOwnUpload(site.db, { ...file, md5: md5Of(there.checksum) }));",
      "return false;",
    ),
    ...inOnePlace("bytes.ts", "sent = await nameApart(site, file, present);", 'throw new Failure("conflict", "");'),
  ],
  "a publication that waits for a press holds up later work": inOnePlace(
    "write/when-to-send.ts",
    "if (!pressed.has(wire_id) && !(await isDraftOver(site, object_id))) unconfirmed.add(wire_id);",
    "",
  ),
  "a clock that is set back holds up edits": inOnePlace(
    "write/attempt.policy.ts",
    "  if (created > now) return now;\n",
    "",
  ),
  "a file of a draft that is gone waits for ever": inOnePlace(
    "write/draft-files.ts",
    "  if (!there && !(await site.lookAtDraft(draftId))) return noSuchDraft;\n",
    "",
  ),
  "a lower revision is taken for an old one": inOnePlace(
    "poller.ts",
    "return revision_id === known ? now > before : now >= before;",
    "return revision_id > known;",
  ),
  "a revision heard long ago is trusted": inOnePlace(
    "write/draft-edit.ts",
    "const isFresh = wantsFresh || age < 0 || age >= keptMicros;",
    "const isFresh = wantsFresh;",
  ),
  "looks of the outbox take the calls that are the user's": inOnePlace(
    "rest-line.ts",
    '{ urgency: "send", ...options });\n    if (answer.status === 429)',
    '{ urgency: "user", ...options });\n    if (answer.status === 429)',
  ),
  "the draft is compared with what was shadow, not with what the user saw": inOnePlace(
    "write/publish.ts",
    "if (seen === undefined) return true;",
    "return true;",
  ),
};
