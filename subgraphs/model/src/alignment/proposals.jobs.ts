import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { loop } from '@loyalty/platform/work/loops';
import { runDueProposal } from './proposal-schedules.service.ts';

/** Runs proposal schedules that are due. */
export const proposeAlignmentsLoop = loop('model.propose-alignments', {
  places: 1,
  wakes: null,
  turn: async (ctx) => ((await runDueProposal(ctx)) ? 0 : MINUTE_MS),
});
