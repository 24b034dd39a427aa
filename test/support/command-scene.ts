import type { Api } from "./api.ts";
import type { HttpClient } from "./http-client.ts";

/** Creates the objects of rows. All belong to `owner`; `reviewer` reviews. */
export interface Scene {
  api: Api;
  owner: HttpClient;
  /** Shares a family with all users by the rights in their names: `grant view`, `group manage`, `link edit`, … */
  share(recordId: string): Promise<void>;
}

export interface CommandRow {
  /** Users who may run the command; the first one does. Empty: it cannot be pushed. */
  allowed: readonly string[];
  /** Creates the objects and the payload that changes them. */
  payload(scene: Scene): Promise<object>;
  /** Silently does nothing on unknown or others' objects, because it may be a repetition. */
  isSilent?: true;
  /** Creates an object of the sender's own, which needs no permission. */
  isOwn?: true;
}
