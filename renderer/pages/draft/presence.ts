import { useEffect } from "react";
import { leaveSeat, reportPresence } from "../../api-client/presence.ts";

const beatMs = 15_000;
const restMs = 150;

/** The form field of an element, such as `metadata.title`. */
function fieldOf(target: EventTarget | null): string | null {
  const block =
    target instanceof Element ? target.closest("[id^='field-metadata.'], [id^='field-custom_fields.']") : null;
  return block ? block.id.slice("field-".length) : null;
}

// Presence is never worth an error message.
const quietly = (work: Promise<unknown>) => void work.catch(() => undefined);

/** Reports that the draft is open here and which field has the cursor. */
export function usePresenceReport(draft: string) {
  useEffect(() => {
    let field: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => quietly(reportPresence(draft, field));
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
