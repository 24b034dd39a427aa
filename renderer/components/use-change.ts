import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { showFailure } from "./toast-queue.ts";

interface ChangeOptions<Answer, Given> {
  /** What failed is said where the press was (`error`), not in the corner, as long as that is shown. */
  isSaidHere?: boolean;
  /** Told in any case, also when page or dialog were left meanwhile. */
  onSuccess?: (answer: Answer, given: Given) => unknown;
  /** Told while page and dialog of the press are still there: closes, clears or leads on what is theirs. */
  onDone?: (answer: Answer, given: Given) => unknown;
  /** Told at last, whether it failed or not. */
  onSettled?: (given: Given) => unknown;
}

/**
 * A change made by a press or by Enter. While it is under way the same again does nothing, however quickly it comes; what
 * failed after its page or dialog was left is said in the corner.
 */
export function useChange<Answer, Given = void>(
  work: (given: Given) => Promise<Answer>,
  { isSaidHere = false, onSuccess, onDone, onSettled }: ChangeOptions<Answer, Given> = {},
) {
  /** The page on which it was pressed. */
  const underWay = useRef<string>(undefined);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  // A page that was left stands until the next one is loaded.
  const isThere = () => isShown.current && location.pathname === underWay.current;
  const change = useMutation({
    mutationFn: (given: Given) => work(given),
    onSuccess: async (answer, given) => {
      await onSuccess?.(answer, given);
      if (isThere()) await onDone?.(answer, given);
    },
    onError: (error) => {
      if (!isSaidHere || !isThere()) showFailure(error);
    },
    onSettled: (_answer, _error, given) => {
      underWay.current = undefined;
      return onSettled?.(given);
    },
  });
  const mutate = (given: Given) => {
    if (underWay.current !== undefined) return;
    underWay.current = location.pathname;
    change.mutate(given);
  };
  return { ...change, mutate };
}
