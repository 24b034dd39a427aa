import { type Db, transaction } from "../../shared/database/open.ts";
import { forget, recall, remember } from "./person.repository.ts";

/** Whether sync is paused, and whether the user must agree to a mass removal. Both survive a restart. */
export class Pause {
  readonly #db: Db;
  isOn: boolean;
  /** The question about a mass removal. Resuming means agreement. */
  removalQuestion: string | null = null;

  constructor(db: Db, isOn: boolean) {
    this.#db = db;
    this.isOn = isOn;
  }

  /** The user agreed to the mass removal. */
  get isMassRemovalAllowed(): boolean {
    return this.removalQuestion !== null && !this.isOn;
  }

  /** Loads the stored state. */
  async recall(): Promise<void> {
    this.isOn ||= (await recall(this.#db, "paused")) ?? false;
    this.removalQuestion = (await recall(this.#db, "removal")) ?? null;
  }

  /** Stored first: on a full disk the call fails, and nothing has changed. */
  async set(isOn: boolean): Promise<void> {
    await this.#store(isOn);
    this.isOn = isOn;
  }

  /** Pauses until the user answers. */
  async askAboutRemoval(removal: string): Promise<void> {
    this.isOn = true;
    this.removalQuestion = removal;
    await this.#store(true);
  }

  /** Ends the pause and withdraws the question. */
  async end(): Promise<void> {
    this.removalQuestion = null;
    await this.set(false);
  }

  async #store(isOn: boolean): Promise<void> {
    const question = this.removalQuestion;
    await transaction(this.#db, async (tx) => {
      await remember(tx, "paused", isOn);
      // Resuming means yes. The answer is lost at a restart, so the user may be asked again.
      if (isOn && question !== null) await remember(tx, "removal", question);
      else await forget(tx, ["removal"]);
    });
  }
}
