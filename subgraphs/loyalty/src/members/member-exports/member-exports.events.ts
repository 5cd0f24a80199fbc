import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Somebody asked for everything that is held about a member; it is gathered next. */
export const memberExportRequested = event(
  'member.export_requested',
  z.object({ memberId: z.uuid(), exportId: z.uuid() }),
);
