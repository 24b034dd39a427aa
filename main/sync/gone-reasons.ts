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

const removedFile = "The file was removed from the draft meanwhile, so nothing is left to send. Discard this.";

/** What is known here of what refused work was about. */
interface Now {
  /** Whether the object, or the record that a draft became, is here. */
  isHere: boolean;
  /** Whether the file that it is about is not in the draft any more. */
  isFileRemoved: boolean;
}

/**
 * The reason of refused work, for the user. The server refuses work on a draft that it does not have any more, and the
 * draft may be a record by now.
 */
export function reasonNow({ reason, object_kind }: Refused, { isHere, isFileRemoved }: Now): string | null {
  if (isFileRemoved) return removedFile;
  return isHere && object_kind === "draft" && reason === goneReasons.deleted
    ? "The draft was published or discarded meanwhile, or its record was deleted."
    : reason;
}
