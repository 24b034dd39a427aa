import { useState } from "react";
import type { RecordBody } from "../../api-client/record-types.ts";

/** A draft and the record that it changes have one id. */
export const rowKey = ({ id, is_published }: RecordBody) => `${id}${is_published}`;

/** What was chosen in the list, to do something with all of it. */
export interface Selection {
  chosen: ReadonlyMap<string, RecordBody>;
  /** The row by which choosing began has the focus. */
  first: string | undefined;
  toggle: (record: RecordBody) => void;
  choose: (records: RecordBody[]) => void;
  end: () => void;
}

interface State {
  address: string;
  chosen: ReadonlyMap<string, RecordBody> | null;
  first?: string | undefined;
}

const mapOf = (records: RecordBody[]) => new Map(records.map((record) => [rowKey(record), record]));

/**
 * The selection of the list at an address, null while nobody chooses; another search ends it: nothing is done to what
 * is out of sight.
 */
export function useSelection(address: string): { selection: Selection | null; begin: (record?: RecordBody) => void } {
  const [state, setState] = useState<State>({ address, chosen: null });
  if (state.address !== address) setState({ address, chosen: null });
  const choose = (records: RecordBody[], first?: string) => setState({ address, chosen: mapOf(records), first });
  const begin = (record?: RecordBody) => choose(record ? [record] : [], record && rowKey(record));
  const { chosen, first } = state;
  if (!chosen) return { selection: null, begin };
  const toggle = (record: RecordBody) =>
    setState((now) => {
      const next = new Map(now.chosen);
      if (!next.delete(rowKey(record))) next.set(rowKey(record), record);
      return { address, chosen: next };
    });
  return { begin, selection: { chosen, first, toggle, choose, end: () => setState({ address, chosen: null }) } };
}
