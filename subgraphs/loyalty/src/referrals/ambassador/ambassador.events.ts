import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A member became an ambassador. */
export const codeIssued = event('ambassador.code_issued', z.object({ memberId: z.uuid(), codeId: z.uuid() }));
