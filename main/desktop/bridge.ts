/** `window.carrel` in the desktop app; absent in a browser. */
export const bridgeName = "carrel";

/** What a page may know of the shell. It cannot call the program; the local API does all work. */
export interface Bridge {
  shell: "desktop";
  platform: string;
}

export const makeBridge = (platform: string): Bridge => ({ shell: "desktop", platform });
