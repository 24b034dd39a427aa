/** Why an object is gone, for the user, who could access it when they changed it. */
export const goneReasons = {
  deleted: "It was deleted or discarded elsewhere.",
  withdrawn: "You no longer have access to it.",
} as const;

/** Why work from before a restore of the server is refused: it needs what the server lost. */
export const lostReason =
  "The server was restored from a backup and does not have this, or you may not change it there. Your work is sent again when others have sent what it needs.";

interface Refused {
  reason: string | null;
  object_kind: string;
}

/**
 * The reason of refused work, for the user. The server refuses work on a draft that it does not have any more, and the
 * draft may be a record by now.
 * @param isHere whether the object, or the record that a draft became, is here.
 */
export const reasonNow = ({ reason, object_kind }: Refused, isHere: boolean): string | null =>
  isHere && object_kind === "draft" && reason === goneReasons.deleted
    ? "The draft was published or discarded meanwhile, or its record was deleted."
    : reason;
