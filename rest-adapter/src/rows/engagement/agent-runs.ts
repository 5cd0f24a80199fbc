import { GetAgentRunDocument, ListAgentRunsDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

/** Fields that only some types of events have. Other events leave them out. */
const omitNull = [
  ...['intent', 'sources', 'model', 'skill', 'tool', 'args', 'result', 'ok', 'reason'],
  ...['tokens', 'usd', 'calls', 'by', 'outcome'],
];

export const agentRunsRoutes = [
  GET('/api/app/agent-runs', ListAgentRunsDocument, { tool: { name: 'agent_runs_list' } }),
  GET('/api/app/agent-runs/:runId', GetAgentRunDocument, { omitNull, tool: { name: 'agent_runs_get' } }),
];
