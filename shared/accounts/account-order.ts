/** The payload of a mail job about an account. The link itself is computed when the mail is written. */
export type AccountOrder = (
  | { account: "reset" | "invitation" | "confirmation"; linkId: string }
  | { account: "changed"; userId: string }
  /** A way to sign in. @param label what the user recognises it by. */
  | { account: "way-added" | "way-removed"; userId: string; label: string }
  | { account: "second-factor"; userId: string; isOn: boolean }
  | { account: "backup-failed"; userId: string; runId: string }
) & {
  /** The language of the page that ordered the mail. */
  language?: string;
};

export const isAccountOrder = (order: object): order is AccountOrder => "account" in order;
