/** A press of "Publish". */
export interface Wish {
  /** The draft, by its maker. */
  name: string;
  /** The marks that the user saw in it. */
  shown: readonly string[];
  /** The marks that stood on the site at the last look since the press. */
  looked?: readonly string[];
  isUsed: boolean;
}

/** A desk as its line and the watch over its calls know it. */
export interface WatchedDesk {
  readonly name: string;
  readonly isPartitioned: boolean;
  /** What the desk is doing: sending and looking around have less right to a call than the user. */
  readonly doing: "poll" | "send" | "user";
  /** What the user wants published, from the press of the button until they stop waiting. */
  readonly wish: Wish | undefined;
  /** The process ends here. */
  die(): Promise<never>;
}
