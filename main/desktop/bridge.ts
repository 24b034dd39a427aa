/** `window.carrel` in the desktop app; absent in a browser. */
export const bridgeName = "carrel";

/** What a page may know of the shell around it. It gets no call into the program: the local API does the work. */
export interface Bridge {
  shell: "desktop";
  platform: string;
}

export const makeBridge = (platform: string): Bridge => ({ shell: "desktop", platform });
