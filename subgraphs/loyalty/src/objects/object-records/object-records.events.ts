import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** What is told of a record: which, and its type's machine name; never its data. */
const payload = z.object({ recordId: z.uuid(), objectType: z.string() });

export const recordCreated = event('record.created', payload);

/** Fields were changed, or a deletion was taken back. */
export const recordUpdated = event('record.updated', payload);

export const recordDeleted = event('record.deleted', payload);
