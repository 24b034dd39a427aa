const key = "carrel.welcomed";

/** Whether the welcome page was shown already. */
export const isWelcomed = () => localStorage.getItem(key) !== null;
export const setWelcomed = () => localStorage.setItem(key, "1");
