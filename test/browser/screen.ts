import type { Page } from "@playwright/test";
import type { Reached } from "../../main/replica/offer-salvage.ts";
import type { Scene } from "./scene.ts";

type Host = { [Key in keyof Scene]: Scene[Key] extends Pick<Reached, "url" | "door"> ? Key : never }[keyof Scene];

/** A screen as `screens.spec.ts` looks at it: where it is, what is done there first, and words that it then shows. */
export interface Screen {
  name: string;
  path: string | ((scene: Scene) => string);
  shows: string | RegExp;
  /** Whose computer; Karin's when left out. */
  on?: Host;
  isNew?: boolean;
  /** `act` leaves the window in a state that no other screen can start from. */
  spoilsWindow?: boolean;
  act?: (page: Page, scene: Scene) => Promise<void>;
}

/** Presses the first button of a name. */
export const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
