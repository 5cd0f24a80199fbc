import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import { forgetProfile } from './keep-profiles.service.ts';
import { noteChanges, PROFILE_CHANGES_CHANNEL } from './profile-changes.service.ts';
import { memberEvents, rebuildEvents, recordEvents } from './profile-events.ts';
import { refreshDue } from './refresh-due.service.ts';

/** Notes what events may have changed, of workspaces whose profiles are kept. */
export const noteProfileChanges: EventConsumer = {
  name: 'engagement.note-profile-changes',
  types: new Set([...memberEvents.keys(), ...recordEvents, ...rebuildEvents.keys()]),
  take: noteChanges,
};

/** Takes changes into profiles; a second place goes on while one workspace takes long. */
export const refreshProfilesLoop = loop('engagement.refresh-profiles', {
  places: 2,
  wakes: PROFILE_CHANGES_CHANNEL,
  turn: async (ctx) => ((await refreshDue(ctx)) ? 0 : SECOND_MS),
});

/** For loyalty's event of an erased member. */
export const forgetProfileJob = job(
  'engagement.forget-profile',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetProfile(ctx, memberId),
);
