import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Events have the id of the record and the machine name of its type, never its data. */
const payload = z.object({ recordId: z.uuid(), objectType: z.string() });

export const recordCreated = event('record.created', payload);

/** Fields were changed, or a deleted record was restored. */
export const recordUpdated = event('record.updated', payload);

export const recordDeleted = event('record.deleted', payload);
