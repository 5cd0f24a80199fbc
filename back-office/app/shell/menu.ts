import type { TablerIcon } from '@tabler/icons-react';
import IconGift from '@tabler/icons-react/icons/IconGift';
import IconHome from '@tabler/icons-react/icons/IconHome';
import IconPlug from '@tabler/icons-react/icons/IconPlug';
import IconSettings from '@tabler/icons-react/icons/IconSettings';
import IconSparkles from '@tabler/icons-react/icons/IconSparkles';
import IconUsers from '@tabler/icons-react/icons/IconUsers';
import type { DocumentName } from '../../generated/demands.ts';
import { refusalFor } from '../graph/permissions.ts';
import { useViewer } from '../graph/viewer.ts';
import type { TextKey } from '../messages/text.ts';

/** A screen in the menu. It is shown if the viewer may run its document. */
export interface MenuEntry {
  readonly path: string;
  readonly text: TextKey;
  /** The label in its group, if it differs from the title of the screen. */
  readonly short?: TextKey;
  readonly document: DocumentName;
}

/** A group of screens. */
export interface MenuGroup {
  readonly text: TextKey;
  readonly icon: TablerIcon;
  readonly entries: readonly MenuEntry[];
}

const menu: readonly MenuGroup[] = [
  {
    text: 'home.title',
    icon: IconHome,
    entries: [{ path: '/', text: 'home.title', document: 'Home' }],
  },
  {
    text: 'menu.members',
    icon: IconUsers,
    entries: [
      { path: '/members', text: 'members.title', document: 'Members' },
      { path: '/captures', text: 'captures.title', document: 'Captures' },
    ],
  },
  {
    text: 'menu.programme',
    icon: IconGift,
    entries: [
      { path: '/liability', text: 'liability.title', document: 'PointsLiability' },
      { path: '/tiers', text: 'tiers.title', document: 'Tiers' },
      { path: '/coupons', text: 'coupons.title', document: 'CouponPools' },
      { path: '/orders', text: 'orders.title', document: 'Orders' },
      { path: '/receipts', text: 'receipts.title', document: 'Receipts' },
    ],
  },
  {
    text: 'menu.model',
    icon: IconSparkles,
    entries: [{ path: '/credits', text: 'credits.title', document: 'Credits' }],
  },
  {
    text: 'menu.integrate',
    icon: IconPlug,
    entries: [
      { path: '/keys', text: 'keys.title', document: 'ApiKeys' },
      { path: '/calls', text: 'calls.title', document: 'Calls' },
      { path: '/imports', text: 'imports.title', document: 'Imports' },
      { path: '/exports', text: 'exports.title', document: 'Exports' },
    ],
  },
  {
    text: 'menu.settings',
    icon: IconSettings,
    entries: [
      { path: '/settings', text: 'settings.title', short: 'menu.general', document: 'Settings' },
      { path: '/team', text: 'team.title', document: 'Team' },
      { path: '/modules', text: 'modules.title', document: 'Modules' },
      { path: '/audit', text: 'audit.title', document: 'AuditLog' },
    ],
  },
];

/** Returns the groups of the menu with the screens that the viewer may open, without empty groups. */
export function useMenu(): readonly MenuGroup[] {
  const viewer = useViewer();
  const isShown = ({ document }: MenuEntry) => refusalFor(viewer, document) === null;
  return menu
    .map((group) => ({ ...group, entries: group.entries.filter(isShown) }))
    .filter(({ entries }) => entries.length > 0);
}

/** Does an entry link to the screen at a path, or to a screen above it? */
export const leadsTo = ({ path }: MenuEntry, here: string): boolean =>
  here === path || (path !== '/' && here.startsWith(`${path}/`));
