const key = "carrel.welcomed";

/** Whether this window's library has been opened once: the welcome page shows itself a single time. */
export const isWelcomed = () => localStorage.getItem(key) !== null;
export const setWelcomed = () => localStorage.setItem(key, "1");
