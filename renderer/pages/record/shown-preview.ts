import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { keepFocus } from "../../components/focus-back.ts";

/**
 * The file whose preview is open. The address names it, so that the browser's Back closes it.
 * @param first what is open until the user chooses.
 */
export function useShownPreview(first: string | null) {
  const { file, preview } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { history } = useRouter();
  const isChosen = file !== undefined || preview !== undefined;
  const show = (key: string | null) => {
    const chosen = { file: key ?? undefined, preview: key === null && first !== null ? "none" : undefined };
    const search = (before: object) => ({ ...before, ...chosen });
    // The preview opens once the address has changed: a menu that it was chosen in may be gone by then.
    if (key !== null) keepFocus();
    // One Back leads to the page as it was, however many previews the user looked through.
    if (key === first && history.location.state.isPreview) history.back();
    else
      void navigate({
        to: ".",
        search,
        state: (now) => (isChosen ? now : { ...now, isPreview: true }),
        replace: isChosen,
        resetScroll: false,
      });
  };
  return { shown: preview === "none" ? null : (file ?? first), show };
}
