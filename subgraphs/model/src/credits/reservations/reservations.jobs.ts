import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { expireReservations } from './reservations.service.ts';

/** For the clockwork, every minute; it serves all workspaces at once and needs none of its own. */
export const expireReservationsJob = job('model.expire-reservations', z.object({}), async (ctx) => {
  await expireReservations(ctx);
});
