import { type Db, transaction } from "../../shared/database/open.ts";
import { forget, recall, remember } from "./person.repository.ts";

/** Whether sending and fetching rest, and what the person is asked before they go on; both stay beyond a restart. */
export class Pause {
  readonly #db: Db;
  isOn: boolean;
  /** Most of what is here would be removed, in words: to go on is to agree. */
  asked: string | null = null;

  constructor(db: Db, isOn: boolean) {
    this.#db = db;
    this.isOn = isOn;
  }

  /** The person has agreed to a removal of most of what is here. */
  get mayRemoveMuch(): boolean {
    return this.asked !== null && !this.isOn;
  }

  /** Reads how it was when the replica stopped. */
  async recall(): Promise<void> {
    this.isOn ||= (await recall(this.#db, "paused")) ?? false;
    this.asked = (await recall(this.#db, "removal")) ?? null;
  }

  async set(isOn: boolean): Promise<void> {
    this.isOn = isOn;
    await this.#store();
  }

  /** Rests until the person has said whether that may go. */
  async ask(removal: string): Promise<void> {
    this.isOn = true;
    this.asked = removal;
    await this.#store();
  }

  /** There is nothing to rest from any more, nor to be asked. */
  async end(): Promise<void> {
    this.asked = null;
    await this.set(false);
  }

  async #store(): Promise<void> {
    const [isOn, asked] = [this.isOn, this.asked];
    await transaction(this.#db, async (tx) => {
      await remember(tx, "paused", isOn);
      // Who went on has answered: should it not be done by then, she is asked once more after a restart.
      if (isOn && asked !== null) await remember(tx, "removal", asked);
      else await forget(tx, ["removal"]);
    });
  }
}
