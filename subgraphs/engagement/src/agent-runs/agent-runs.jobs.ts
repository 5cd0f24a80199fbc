import { systemCaller } from '@loyalty/platform/base/caller';
import { job } from '@loyalty/platform/work/jobs';
import { type Loop, loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import { RUNS_CHANNEL } from './agent-run.ts';
import { eraseRuns } from './change-runs.service.ts';
import { chatCompletions } from './chat-completions.ts';
import { runAgent, takeRun } from './run-agent.service.ts';

const IDLE_MS = 1_000;

/** Runs agents. Most of the time a worker waits for a model. */
export const runAgentsLoop: Loop = loop('engagement.run-agents', {
  places: 4,
  wakes: RUNS_CHANNEL,
  async turn(ctx) {
    const claimed = await takeRun(ctx);
    if (!claimed) return IDLE_MS;
    const { workspaceId, mode } = claimed;
    const port = chatCompletions(ctx.services.config);
    await runAgent(ctx.as(systemCaller('agents', { workspaceId, mode })), claimed, port);
    return 0;
  },
});

/** Runs after a member was erased. */
export const eraseAgentRunsJob = job(
  'engagement.forget-agent-runs',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseRuns(ctx, memberId),
);
