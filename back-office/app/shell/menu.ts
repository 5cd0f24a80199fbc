import type { DocumentName } from '../../generated/demands.ts';
import type { TextKey } from '../messages/text.ts';

/** A screen in the menu; it shows where the viewer may run its document. */
export interface MenuEntry {
  readonly path: string;
  readonly text: TextKey;
  readonly document: DocumentName;
  readonly group: TextKey;
}

export const menu: readonly MenuEntry[] = [
  { path: '/', text: 'home.title', document: 'Home', group: 'menu.start' },
  { path: '/members', text: 'members.title', document: 'Members', group: 'menu.members' },
  { path: '/tiers', text: 'tiers.title', document: 'Tiers', group: 'menu.programme' },
  { path: '/coupons', text: 'coupons.title', document: 'CouponPools', group: 'menu.programme' },
  { path: '/orders', text: 'orders.title', document: 'Orders', group: 'menu.commerce' },
  { path: '/receipts', text: 'receipts.title', document: 'Receipts', group: 'menu.commerce' },
  { path: '/credits', text: 'credits.title', document: 'Credits', group: 'menu.model' },
  { path: '/keys', text: 'keys.title', document: 'ApiKeys', group: 'menu.integrate' },
  { path: '/imports', text: 'imports.title', document: 'Imports', group: 'menu.integrate' },
  { path: '/modules', text: 'modules.title', document: 'Modules', group: 'menu.settings' },
  { path: '/team', text: 'team.title', document: 'Team', group: 'menu.settings' },
  { path: '/audit', text: 'audit.title', document: 'AuditLog', group: 'menu.settings' },
  { path: '/settings', text: 'settings.title', document: 'Settings', group: 'menu.settings' },
];
