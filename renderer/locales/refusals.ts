import { type RefusalTranslator, refusalTranslator } from "../../shared/kernel/refusal-translator.ts";

let translator: RefusalTranslator = refusalTranslator({});

/** Sets the texts for refusals: translations, or plain English for texts that InvenioRDM prescribes. */
export function setRefusals(catalogue: Readonly<Record<string, string>>): void {
  translator = refusalTranslator(catalogue);
}

/** A host's message in the user's language. */
export const translateRefusal: RefusalTranslator = (message, wordsOf) => translator(message, wordsOf);
