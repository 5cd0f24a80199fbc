import { type Mode, systemCaller } from '@loyalty/platform/base/caller';
import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { eraseMemberRecords, fillDefault } from './object-records.service.ts';

const modes: readonly Mode[] = ['LIVE', 'TEST'];

/** Live and test share a definition, so the records of both get a new field's default. */
export const fillObjectFieldJob = job(
  'loyalty.fill-object-field',
  z.object({ objectTypeId: z.uuid(), key: z.string() }),
  async (ctx, { objectTypeId, key }) => {
    const { workspaceId } = ctx.scope;
    for (const mode of modes)
      await fillDefault(ctx.as(systemCaller('fill-object-field', { workspaceId, mode })), objectTypeId, key);
  },
  { isLong: true },
);

/** Runs after a member was erased. */
export const eraseMemberRecordsJob = job(
  'loyalty.erase-member-records',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseMemberRecords(ctx, memberId),
);
