import { useEffect } from "react";
import type { DraftSession } from "./draft-session.ts";

/** Texts whose typing changed nothing in the draft, such as the name that a list is searched for. */
const ownTexts = new WeakSet<EventTarget>();

/** Whether a text has undo steps of its own. What is typed into a field of the draft is a step of the draft. */
export const hasOwnSteps = (target: EventTarget | null): boolean =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
  ownTexts.has(target) &&
  target.value !== "";

/** Notes which texts have undo steps of their own. */
export function useOwnTextSteps(session: DraftSession) {
  useEffect(() => {
    let before = session.current().content;
    const onBegin = () => {
      before = session.current().content;
    };
    const onEnd = ({ target }: Event) => {
      if (!target) return;
      if (session.current().content === before) ownTexts.add(target);
      else ownTexts.delete(target);
    };
    // Fields change the draft between the two.
    addEventListener("input", onBegin, { capture: true });
    addEventListener("input", onEnd);
    return () => {
      removeEventListener("input", onBegin, { capture: true });
      removeEventListener("input", onEnd);
    };
  }, [session]);
}
