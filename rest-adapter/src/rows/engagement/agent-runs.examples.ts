import { agentRunId, type Example, memberId, userId } from '../example.ts';

const run = {
  runId: agentRunId,
  definition: 'Win-back assistant',
  definitionVersion: 3,
  status: 'completed',
  startedAt: '2026-05-12T10:00:00.000Z',
  endedAt: '2026-05-12T10:00:21.000Z',
  tokens: 2_840,
  usd: 0.0031,
  outcome: 'done',
};

const event = (seq: number, type: string, second: number, details: Readonly<Record<string, unknown>>) => ({
  seq,
  type,
  at: `2026-05-12T10:00:${String(second).padStart(2, '0')}.000Z`,
  runId: agentRunId,
  definitionVersion: 3,
  ...details,
});

export const agentRunsExamples: Readonly<Record<string, Example>> = {
  ListAgentRuns: { reply: { runs: [run], total: 1 } },
  GetAgentRun: {
    reply: {
      ...run,
      events: [
        event(1, 'run_started', 0, { by: `user:${userId}` }),
        event(2, 'user_intent', 0, { intent: `Is the balance of member ${memberId} enough for a coffee?` }),
        event(3, 'context_loaded', 1, { sources: [], ok: true }),
        event(4, 'model_selected', 1, { model: 'small', ok: true }),
        event(5, 'prompt_assembled', 1, { result: '2 messages' }),
        event(6, 'reasoning', 9, { model: 'small', tokens: 1_320, usd: 0.0014 }),
        event(7, 'permission_check', 9, { tool: 'points_balance', ok: true }),
        event(8, 'tool_called', 9, { tool: 'points_balance', args: { id: memberId } }),
        event(9, 'tool_result', 10, { tool: 'points_balance', ok: true, result: '61 characters' }),
        event(10, 'reasoning', 20, { model: 'small', tokens: 1_520, usd: 0.0017 }),
        event(11, 'action_result', 21, { ok: true, result: 'done' }),
        event(12, 'business_outcome', 21, { calls: 1, result: 'calls done: 1, failed: 0' }),
        event(13, 'cost', 21, { tokens: 2_840, usd: 0.0031 }),
        event(14, 'run_ended', 21, { outcome: 'completed' }),
      ],
      total: 14,
    },
  },
};
