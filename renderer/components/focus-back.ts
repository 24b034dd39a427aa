import { useEffect, useState } from "react";

/** Where the focus may go once a dialog is closed, the nearest first. */
type Trail = Element[];

/** The trail to the dialog that was opened last: a dialog may replace another one. */
let before: Trail = [];

/** The trail to the change that was started last: its button or menu may be gone before a dialog shows the answer. */
let changed: Trail = [];

/** How long after a change its button may still vanish. */
const settlesMs = 500;

const isDialog = (element: Element): boolean => element.matches("[role=dialog], [role=alertdialog]");

/** The focused element, or the button of the menu that has the focus: the menu closes. */
function focused(): Element | null {
  const menu = document.activeElement?.closest("[role=menu]");
  const ids = menu?.getAttribute("aria-labelledby")?.split(" ") ?? [];
  const buttons = ids.map((id) => document.getElementById(id)).filter((label) => label !== null && label !== menu);
  return buttons[0] ?? document.activeElement;
}

/** The focused element, its ancestors in the page or dialog, and the elements after each of them. */
function trailHere(): Trail {
  const trail: Trail = [];
  for (let element = focused(); element && element !== document.body; element = element.parentElement) {
    trail.push(element);
    if (isDialog(element)) return [...trail, ...before];
    if (element.id === "main") break;
    // Beside a menu or the page stand only other layers.
    const isLayer = element.parentElement === document.body;
    if (element.nextElementSibling && !isLayer) trail.push(element.nextElementSibling);
  }
  return trail.length > 0 ? trail : changed;
}

const isUsable = (element: Element | undefined) => element?.isConnected === true && !element.matches(":disabled");

function focus(element: HTMLElement): void {
  element.focus();
  if (document.activeElement === element) return;
  element.tabIndex = -1;
  element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  element.focus();
}

function focusFirst(trail: Trail): void {
  if (document.activeElement !== document.body) return;
  const next = trail.find(isUsable);
  if (next instanceof HTMLElement) focus(next);
}

/**
 * Keeps the place of keyboard users during a change that takes away or disables the button it was started with, such as that of
 * a withdrawn invitation. The focus goes to an element beside it, to the next row, or to the container of the row.
 * @returns a function to call when the change is done.
 */
export function keepFocus(): () => void {
  const trail = trailHere();
  changed = trail;
  return () => {
    const endMs = performance.now() + settlesMs;
    const look = () => {
      const focused = document.activeElement;
      // What the page itself puts in the place of the button comes first.
      if (focused === document.body) requestAnimationFrame(() => focusFirst(trail));
      else if (focused === trail[0] && performance.now() < endMs) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
}

/**
 * Keeps the place of keyboard users when the button that opened a dialog is gone once the dialog closes, such as that of a
 * deleted row: the focus goes to the next row, or to what the row was in. Otherwise React Aria has put it back.
 */
export function useFocusBack(): void {
  const [trail] = useState(trailHere);
  const [hadFocus] = useState(() => document.activeElement !== document.body);
  useEffect(() => {
    before = trail;
    return () => {
      requestAnimationFrame(() => {
        // The button is still there: React Aria focuses it or its row. For a row it renders once more first.
        if (!hadFocus || !isUsable(trail[0])) focusFirst(trail);
      });
    };
  }, [trail, hadFocus]);
}
