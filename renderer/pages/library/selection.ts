import { useState } from "react";
import type { RecordBody } from "../../api-client/record-types.ts";

/** Needed because a draft and its record share an id. */
export const rowKey = ({ id, is_published }: RecordBody) => `${id}${is_published}`;

/** The selected rows. */
export interface Selection {
  chosen: ReadonlyMap<string, RecordBody>;
  /** The first selected row, which gets the focus. */
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

/** The selection of a list; null if none. A new search ends it, so that no action affects invisible rows. */
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
