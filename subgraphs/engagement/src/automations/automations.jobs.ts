import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { loop } from '@loyalty/platform/work/loops';
import { AUTOMATIONS_CHANNEL, enterDueMembers } from './due-members.service.ts';

/** Enters due members into automations by time. */
export const enterDueMembersLoop = loop('engagement.enter-due-members', {
  places: 1,
  wakes: AUTOMATIONS_CHANNEL,
  turn: async (ctx) => ((await enterDueMembers(ctx)) ? 0 : MINUTE_MS),
});
