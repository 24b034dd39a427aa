import type { TFunction } from "i18next";
import { useEffect } from "react";
import { currentCommands } from "./command-list.ts";
import { storedChoice } from "./stored-choice.ts";

const isMac = navigator.platform.startsWith("Mac");

const sequenceMs = 1200;
const letters = storedChoice<"on" | "off">("carrel.letters", "on");
const areLettersOn = () => letters.read() === "on";

/** Whether single-key shortcuts are on; they can be turned off (WCAG 2.1.4). */
export function useLetterKeys() {
  return [letters.use() === "on", (isOn: boolean) => letters.set(isOn ? "on" : "off")] as const;
}

/** Name of a key press as in commands; characters such as `?` by themselves, however typed. */
function pressOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const isSign = key.length === 1 && !/[a-z0-9 ]/.test(key);
  const parts = [];
  if (isMac ? event.metaKey : event.ctrlKey) parts.push("mod");
  if (event.altKey) parts.push("alt");
  if (event.shiftKey && !isSign) parts.push("shift");
  return [...parts, key].join("+");
}

const isLone = (keys: string) => !/mod\+|alt\+/.test(keys);

/** Whether letters are text here or belong to the focused list. */
const takesLetters = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=tree], [role=treegrid], [role=dialog], [role=alertdialog]",
  ) !== null;

const isModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey;

/**
 * Whether the user is still typing into a field that has vanished, such as one of a draft that somebody else published.
 * Those letters are text, not shortcuts, until the user leaves with a click, Tab or Escape.
 */
function typingWatch(signal: AbortSignal): () => boolean {
  let field: EventTarget | null = null;
  const isGone = () => field instanceof Node && !field.isConnected;
  const watched = { capture: true, signal };
  addEventListener(
    "input",
    ({ target }) => {
      field = takesLetters(target) ? target : null;
    },
    watched,
  );
  addEventListener(
    "pointerdown",
    () => {
      field = null;
    },
    watched,
  );
  addEventListener(
    "keydown",
    (event) => {
      // Enter or a shortcut in a field may close it on purpose.
      const leaves = ["Tab", "Escape"].includes(event.key);
      if (leaves || (!isGone() && (event.key === "Enter" || isModifier(event)))) field = null;
    },
    watched,
  );
  return isGone;
}

/** Runs commands by their keys, except behind an open dialog. */
export function useKeys() {
  useEffect(() => {
    const ended = new AbortController();
    const isTyping = typingWatch(ended.signal);
    let before = "";
    let beforeAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || document.querySelector("[role=dialog], [role=alertdialog]"))
        return;
      const press = pressOf(event);
      // Uses the time of the press, because a busy page handles it later.
      const sequence = event.timeStamp - beforeAt < sequenceMs ? `${before} ${press}` : press;
      const mayLone = areLettersOn() && !takesLetters(event.target) && !isTyping();
      const matching = [sequence, press]
        .flatMap((keys) => currentCommands().filter((one) => one.keys === keys || one.alsoKeys === keys))
        .filter(({ keys = "" }) => mayLone || !isLone(keys))
        .filter(({ yieldsTo }) => !yieldsTo?.(event.target));
      // Page commands take precedence over global ones.
      const command = matching.find(({ group }) => group === "page") ?? matching[0];
      before = press;
      beforeAt = command ? Number.NEGATIVE_INFINITY : event.timeStamp;
      if (!command) return;
      event.preventDefault();
      command.run();
    };
    addEventListener("keydown", onKey, { signal: ended.signal });
    return () => ended.abort();
  }, []);
}

const symbols: Record<string, string> = isMac
  ? { mod: "⌘", alt: "⌥", shift: "⇧", enter: "↩", arrowup: "↑", arrowdown: "↓" }
  : { arrowup: "↑", arrowdown: "↓" };
const named = ["mod", "alt", "shift", "enter"] as const;

function nameOf(t: TFunction, key: string): string {
  const symbol = symbols[key];
  if (symbol !== undefined) return symbol;
  const known = named.find((one) => one === key);
  return known ? t(`palette.key.${known}`) : key.toUpperCase();
}

/** The keys of a command, as labelled on a keyboard of the user's language. */
export const keyNames = (t: TFunction, keys: string): string[] =>
  keys.split(" ").flatMap((press) => (press === "+" ? [press] : press.split("+")).map((key) => nameOf(t, key)));
