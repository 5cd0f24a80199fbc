import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** An export of a member's data was requested; a job collects it. */
export const memberExportRequested = event(
  'member.export_requested',
  z.object({ memberId: z.uuid(), exportId: z.uuid() }),
  { activity: 'EXPORT_REQUESTED' },
);
