import type { Page } from "@playwright/test";
import type { ReplicaAddress } from "../../main/replica/offer-salvage.ts";
import type { Scene } from "./scene.ts";

type Host = {
  [Key in keyof Scene]: Scene[Key] extends Pick<ReplicaAddress, "url" | "guard"> ? Key : never;
}[keyof Scene];

/** A screen for `screens.spec.ts`: its address, preparing steps, and a text that it then shows. */
export interface Screen {
  name: string;
  path: string | ((scene: Scene) => string);
  shows: string | RegExp;
  /** Whose replica; Karin's by default. */
  on?: Host;
  isNew?: boolean;
  /** `act` leaves the window in a state from which no other screen can start. */
  spoilsWindow?: boolean;
  act?: (page: Page, scene: Scene) => Promise<void>;
}

/** Presses the first button with this name. */
export const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
