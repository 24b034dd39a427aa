import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { keepFocus } from "./focus-back.ts";
import { showFailure } from "./toast-queue.ts";

interface ChangeOptions<Answer, Given> {
  /** Shows a failure where the user pressed (`error`) instead of in the corner, while that is visible. */
  showsErrorHere?: boolean;
  /** Called after a success, also if the page or dialog was left. */
  onSuccess?: (answer: Answer, given: Given) => unknown;
  /** Called after a success only while the page and dialog are still open, to close, clear or navigate. */
  onDone?: (answer: Answer, given: Given) => unknown;
  /** Called at the end, after success or failure. */
  onSettled?: (given: Given) => unknown;
}

/**
 * A change started by the user. While it is under way, repeating it does nothing. If it fails after the page was left,
 * the corner shows the failure. The keyboard focus stays near a button that the change takes away.
 */
export function useChange<Answer, Given = void>(
  work: (given: Given) => Promise<Answer>,
  { showsErrorHere = false, onSuccess, onDone, onSettled }: ChangeOptions<Answer, Given> = {},
) {
  /** The page where the change started. */
  const underWay = useRef<string>(undefined);
  const giveFocusBack = useRef(() => {});
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  // A page stays mounted until the next one has loaded.
  const isOnPage = () => isShown.current && location.pathname === underWay.current;
  const change = useMutation({
    mutationFn: (given: Given) => work(given),
    onSuccess: async (answer, given) => {
      await onSuccess?.(answer, given);
      if (isOnPage()) await onDone?.(answer, given);
    },
    onError: (error) => {
      if (!showsErrorHere || !isOnPage()) showFailure(error);
    },
    onSettled: (_answer, _error, given) => {
      underWay.current = undefined;
      giveFocusBack.current();
      return onSettled?.(given);
    },
  });
  const mutate = (given: Given) => {
    if (underWay.current !== undefined) return;
    underWay.current = location.pathname;
    giveFocusBack.current = keepFocus();
    change.mutate(given);
  };
  /** Forgets the failure. A change under way goes on, and its failure is still shown. */
  const reset = () => {
    if (!change.isPending) change.reset();
  };
  return { ...change, mutate, reset };
}
