import { describe, expect, test } from "vitest";
import { type Ordered, sendable, waitingForRefused } from "../../main/sync/order.policy.ts";

const operation = (id: string, kind: string, state: Ordered["state"] = "pending", aggregate = "a"): Ordered => ({
  id,
  kind,
  state,
  object_id: "d",
  aggregate_kind: "family",
  aggregate_id: aggregate,
});
const create = operation("create", "draft.create");
const edit = operation("edit", "draft.edit");
const upload = operation("upload", "file.commit");
const publish = operation("publish", "draft.publish");
const other = operation("other", "draft.edit", "pending", "b");

describe("one operation refused: only operations that need it wait; the rest goes on (hosts-and-sync 4)", () => {
  test.each<[string, Ordered[], string[]]>([
    ["what can go goes together, in its order", [edit, other, publish], ["edit", "other", "publish"]],
    ["a creation goes before what builds on it", [create, edit, other], ["create", "other"]],
    ["a refused edit holds nothing up", [{ ...edit, state: "rejected" }, publish], ["publish"]],
    ["a refused beginning holds its object up, no other", [{ ...create, state: "rejected" }, edit, other], ["other"]],
  ])("%s", (_, operations, expected) => {
    expect(sendable(operations, () => true).map(({ id }) => id)).toEqual(expected);
  });

  test("an edit does not wait for the upload before it, publishing does", () => {
    const ready = sendable([upload, edit, publish], ({ kind }) => kind !== "file.commit");
    expect(ready.map(({ id }) => id)).toEqual(["edit"]);
  });

  test("an edit of the order of files waits for the files before it, and those after it wait for the edit", () => {
    const order = { ...edit, id: "order", payload: '{"changes":[{"path":["files","order","a.txt"],"after":"a.txt"}]}' };
    const remove = operation("remove", "file.delete");
    const isReady = ({ kind }: Ordered) => kind !== "file.commit";
    expect(sendable([upload, order, remove], isReady)).toEqual([]);
    expect(sendable([upload, order, remove], () => true)).toEqual([upload, order, remove]);
  });

  test("a reply and an edit go after their comment, and wait while it is refused", () => {
    const about = (id: string, kind: string, object_id: string, parentId: string | null): Ordered => ({
      ...{ id, kind, state: "pending", object_id, aggregate_kind: "request", aggregate_id: "r" },
      payload: JSON.stringify({ parentId }),
    });
    const first = about("first", "comment.create", "c1", null);
    const reply = about("reply", "comment.create", "c2", "c1");
    const edit = about("edit", "comment.update", "c1", null);
    const ofReply = about("edit of the reply", "comment.update", "c2", null);
    const second = about("second", "comment.create", "c3", null);
    const idsOf = (operations: Ordered[]) => sendable(operations, () => true).map(({ id }) => id);
    expect(idsOf([first, reply, edit, ofReply])).toEqual(["first"]);
    expect(idsOf([first, second])).toEqual(["first", "second"]);
    expect(idsOf([reply, edit])).toEqual(["reply", "edit"]);
    const refused: Ordered = { ...first, state: "rejected" };
    expect(idsOf([refused, reply, edit, ofReply, second])).toEqual(["second"]);
    const waiting = waitingForRefused([refused, reply, edit, ofReply, second]);
    expect([...waiting]).toEqual([reply, edit, ofReply].map((one) => [one, refused]));
  });

  test("a decision waits for the files and edits of the draft under review, a comment does not (hosts-and-sync 3)", () => {
    const about = (id: string, kind: string, topic: string | null): Ordered => ({
      ...{ id, kind, state: "pending", object_id: "d", aggregate_kind: "request", aggregate_id: "r", topic },
    });
    const choose = about("choose", "review.put", "a");
    const submit = about("submit", "request.submit", "a");
    const comment = about("comment", "comment.create", null);
    const isReady = ({ kind }: Ordered) => kind !== "file.commit";
    const idsOf = (operations: Ordered[]) => sendable(operations, isReady).map(({ id }) => id);
    expect(idsOf([create, upload, submit, comment])).toEqual(["create"]);
    expect(idsOf([upload, comment])).toEqual(["comment"]);
    expect(idsOf([choose, comment])).toEqual(["choose"]);
    const refused: Ordered = { ...choose, state: "rejected" };
    expect(idsOf([refused, comment, submit, edit])).toEqual(["edit"]);
    expect(idsOf([{ ...create, state: "rejected" }, choose, comment])).toEqual([]);
    const submitQueued = operation("submit queued", "review.submit");
    expect(idsOf([refused, submitQueued, edit])).toEqual(["edit"]);
    expect(idsOf([choose, submitQueued, edit])).toEqual(["choose"]);
    const chosenAgain = { ...choose, id: "chosen again", aggregate_id: "r2" };
    expect(idsOf([refused, chosenAgain, submitQueued])).toEqual(["chosen again"]);
    expect([...waitingForRefused([refused, chosenAgain, submitQueued])]).toEqual([]);
  });

  test("another review, publishing and discarding wait for the decisions on the request before; edits do not (hosts-and-sync 4)", () => {
    const about = (id: string, kind: string, request: string): Ordered => ({
      ...{ id, kind, state: "pending", object_id: "d", aggregate_kind: "request", aggregate_id: request, topic: "a" },
    });
    const decisions = [about("submit", "request.submit", "r"), about("cancel", "request.cancel", "r")];
    const [choose, again] = [about("choose", "review.put", "r"), about("again", "review.put", "r2")];
    const idsOf = (operations: Ordered[]) => sendable(operations, () => true).map(({ id }) => id);
    const discard = operation("discard", "draft.discard");
    for (const later of [again, publish, discard]) {
      expect(idsOf([choose, ...decisions, edit, later])).toEqual(["choose", "edit"]);
      expect(idsOf([...decisions, later])).toEqual(["submit", "cancel", later.id]);
    }
    expect(idsOf([choose, ...decisions, { ...publish, aggregate_id: "b" }])).toEqual(["choose", "publish"]);
  });

  test("a refused new version holds up what is about it, not what is about the family or another draft of it", () => {
    const version: Ordered = { ...operation("version", "draft.new-version", "rejected"), object_id: "v2" };
    const inIt = { ...edit, id: "in it", object_id: "v2" };
    const ofFiles = { ...upload, id: "of files", object_id: "entry", payload: '{"draftId":"v2"}' };
    const next = { ...operation("next", "draft.new-version"), object_id: "v3", payload: '{"recordId":"v2"}' };
    const inNext = { ...edit, id: "in next", object_id: "v3" };
    const share = { ...operation("share", "access-grant.create"), object_id: "g", payload: '{"recordId":"d"}' };
    const all = [version, inIt, ofFiles, next, inNext, share, edit, publish];
    expect(sendable(all, () => true)).toEqual([share, edit, publish]);
    expect([...waitingForRefused(all)]).toEqual([inIt, ofFiles, next, inNext].map((one) => [one, version]));
    const again: Ordered = { ...operation("again", "draft.edit-published", "rejected"), payload: '{"id":"d"}' };
    expect(sendable([again, share, edit, publish], () => true)).toEqual([share]);
  });

  test("a refused edition of a record holds up its draft, not its next version, and nothing where there is a draft (fault 7)", () => {
    const refused: Ordered = { ...operation("edition", "draft.edit-published", "rejected"), payload: '{"id":"d"}' };
    const next = { ...operation("next", "draft.new-version"), object_id: "v2", payload: '{"recordId":"d"}' };
    const again = { ...operation("again", "draft.edit-published"), payload: '{"id":"d"}' };
    expect(sendable([refused, next, edit], () => true)).toEqual([next]);
    expect(sendable([{ ...refused, has_draft: 1 }, again], () => true)).toEqual([again]);
    expect(sendable([{ ...refused, has_draft: 1 }, edit, publish], () => true)).toEqual([edit, publish]);
  });

  test("what waits for a refused beginning is told apart: it has no next attempt", () => {
    const refused: Ordered = { ...create, state: "rejected" };
    expect([...waitingForRefused([refused, edit, upload, other])]).toEqual([
      [edit, refused],
      [upload, refused],
    ]);
  });
});
