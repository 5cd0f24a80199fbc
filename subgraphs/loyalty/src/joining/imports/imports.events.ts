import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

const requested = z.object({ importId: z.uuid(), bytes: z.int().nonnegative() });

/** Files that are whole and wait for their job; one event a kind, because another subgraph runs each. */
export const memberImportRequested = event('loyalty.member_import_requested', requested);
export const orderImportRequested = event('commerce.order_import_requested', requested);
export const catalogImportRequested = event('commerce.catalog_import_requested', requested);
