import { GetAgentRunDocument, ListAgentRunsDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

/** Of an event, only what belongs to its type is shown. */
const omitNull = [
  ...['intent', 'sources', 'model', 'skill', 'tool', 'args', 'result', 'ok', 'reason'],
  ...['tokens', 'usd', 'calls', 'by', 'outcome'],
];

export const agentRunsRoutes = [
  GET('/api/app/agent-runs', ListAgentRunsDocument, { tool: { name: 'agent_runs_list' } }),
  GET('/api/app/agent-runs/:runId', GetAgentRunDocument, { omitNull, tool: { name: 'agent_runs_get' } }),
];
