/** `window.carrel` in the desktop app; absent in a browser. */
export const bridgeName = "carrel";

/** What a page may read about the desktop shell. Pages cannot call the shell; the local API does all work. */
export interface Bridge {
  shell: "desktop";
  platform: string;
}

export const makeBridge = (platform: string): Bridge => ({ shell: "desktop", platform });
