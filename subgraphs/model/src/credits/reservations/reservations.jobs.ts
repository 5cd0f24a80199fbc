import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { expireReservations } from './reservations.service.ts';

/** Due every minute; serves all workspaces at once. */
export const expireReservationsJob = job('model.expire-reservations', z.object({}), async (ctx) => {
  await expireReservations(ctx);
});
