import { typeAhead } from "../../components/type-ahead.ts";

/** Focuses the comment editor, which may still be loaded. */
export function focusComposer(): void {
  typeAhead(() => document.querySelector<HTMLElement>("#compose [role=textbox]"));
}
