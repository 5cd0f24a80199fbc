import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import { eraseProfile } from './keep-profiles.service.ts';
import { PROFILE_CHANGES_CHANNEL, recordChanges } from './profile-changes.service.ts';
import { profileEvents, rebuildEvents, recordEvents } from './profile-events.ts';
import { refreshDue } from './refresh-due.service.ts';

/** Records the possible changes of events, in workspaces with profiles. */
export const noteProfileChanges: EventConsumer = {
  name: 'engagement.note-profile-changes',
  types: new Set([...profileEvents.keys(), ...recordEvents, ...rebuildEvents.keys()]),
  take: recordChanges,
};

/** Applies changes to profiles. A second worker continues while one workspace takes long. */
export const refreshProfilesLoop = loop('engagement.refresh-profiles', {
  places: 2,
  wakes: PROFILE_CHANGES_CHANNEL,
  turn: async (ctx) => ((await refreshDue(ctx)) ? 0 : SECOND_MS),
});

/** Runs after a member was erased. */
export const eraseProfileJob = job(
  'engagement.forget-profile',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseProfile(ctx, memberId),
);
