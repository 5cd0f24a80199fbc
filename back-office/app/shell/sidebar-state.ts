import { useSyncExternalStore } from 'react';
import { createSignal } from '../graph/signal.ts';
import type { TextKey } from '../messages/text.ts';

/** The settings of the sidebar, stored in this browser. */
interface SidebarState {
  /** The sidebar shows only icons. */
  readonly isNarrow: boolean;
  /** Collapsed groups. */
  readonly closed: readonly TextKey[];
}

const KEPT = 'loyalty-menu';
const choices = createSignal();
let current: SidebarState = {
  ...{ isNarrow: false, closed: [] },
  ...(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<SidebarState>),
};

function choose(change: Partial<SidebarState>): void {
  current = { ...current, ...change };
  localStorage.setItem(KEPT, JSON.stringify(current));
  choices.send();
}

export const useSidebar = (): SidebarState => useSyncExternalStore(choices.listen, () => current);

export const toggleSidebar = (): void => choose({ isNarrow: !current.isNarrow });

export function toggleGroup(group: TextKey): void {
  const { closed } = current;
  choose({ closed: closed.includes(group) ? closed.filter((each) => each !== group) : [...closed, group] });
}
