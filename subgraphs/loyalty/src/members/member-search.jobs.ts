import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { indexMissingMembers } from './member-search.service.ts';

/** Runs every night, for all workspaces. */
export const indexMissingMembersJob = job(
  'loyalty.index-missing-members',
  z.object({}),
  async (ctx) => void (await indexMissingMembers(ctx)),
  { expireInSeconds: 3_600 },
);
