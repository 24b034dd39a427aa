import { useEffect } from "react";
import { leaveSeat, sit } from "../../api-client/presence.ts";

const beatMs = 15_000;
const restMs = 150;

/** The field that an element of the form stands in, such as `metadata.title`. */
function fieldOf(target: EventTarget | null): string | null {
  const block = target instanceof Element ? target.closest("[id^='field-metadata.']") : null;
  return block ? block.id.slice("field-".length) : null;
}

// Whether others can see one is never worth a message: work goes on without it.
const quietly = (work: Promise<unknown>) => void work.catch(() => undefined);

/** Tells others that the draft is open here, and in which field the cursor is. */
export function useSeat(draft: string) {
  useEffect(() => {
    let field: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => quietly(sit(draft, field));
    const onFocus = (event: FocusEvent) => {
      const next = fieldOf(event.type === "focusin" ? event.target : event.relatedTarget);
      if (next === field) return;
      field = next;
      clearTimeout(timer);
      timer = setTimeout(tell, restMs);
    };
    const leave = () => quietly(leaveSeat(draft));
    tell();
    const beat = setInterval(tell, beatMs);
    addEventListener("focusin", onFocus);
    addEventListener("focusout", onFocus);
    addEventListener("pagehide", leave);
    return () => {
      clearTimeout(timer);
      clearInterval(beat);
      removeEventListener("focusin", onFocus);
      removeEventListener("focusout", onFocus);
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [draft]);
}
