import type { QueryResolvers } from '#generated/schema';
import { messageReasons } from './message-reasons.ts';

export const Query = {
  messageReasons: () => messageReasons.map((reason) => ({ ...reason, statuses: [...reason.statuses] })),
} satisfies QueryResolvers;
