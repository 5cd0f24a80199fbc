import { useState } from 'react';
import { useViewer } from '../graph/viewer.ts';

/** Whether each column is visible, by its key. Columns that are absent have the default of the list. */
export type ShownColumns = Readonly<Record<string, boolean>>;

const keyOf = (userId: string | undefined, list: string): string =>
  `loyalty-columns:${userId ?? 'nobody'}:${list}`;

/** The columns that a person chose for a list, stored in this browser. Without a list nothing is stored. */
export function useKeptColumns(
  list: string | undefined,
): [chosen: ShownColumns, choose: (chosen: ShownColumns) => void] {
  const { user } = useViewer();
  const key = list && keyOf(user?.id, list);
  const [chosen, setChosen] = useState<ShownColumns>(() => (key ? chosenOf(localStorage.getItem(key)) : {}));
  const choose = (next: ShownColumns) => {
    setChosen(next);
    if (!key) return;
    if (Object.keys(next).length > 0) localStorage.setItem(key, JSON.stringify(next));
    else localStorage.removeItem(key);
  };
  return [chosen, choose];
}

/** Parses the stored columns. Anything invalid counts as no choice. */
export function chosenOf(kept: string | null): ShownColumns {
  try {
    const value: unknown = JSON.parse(kept ?? '{}');
    const entries = Object.entries(value && typeof value === 'object' ? value : {});
    return Object.fromEntries(entries.filter(([, isShown]) => typeof isShown === 'boolean'));
  } catch {
    return {};
  }
}
