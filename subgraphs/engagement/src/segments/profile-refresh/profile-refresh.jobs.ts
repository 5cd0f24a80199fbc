import { SECOND_MS } from '@loyalty/platform/clock';
import { job } from '@loyalty/platform/outbox/jobs';
import { loop } from '@loyalty/platform/outbox/loops';
import { z } from 'zod';
import { PROFILE_CHANGES_CHANNEL } from '../profile-changes/note-changes.service.ts';
import { forgetProfile } from './forget-profile.service.ts';
import { refreshDue } from './refresh-due.service.ts';

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
