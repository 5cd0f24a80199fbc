import type { Config } from '@loyalty/platform/config/config';
import type { Services } from '@loyalty/platform/context';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { failedRows } from './failed-rows.ts';
import { remoteScorePort } from './remote-score-port.ts';
import { score } from './score.ts';
import type { ScoreAnswer, ScorePort, ScoreRequest } from './score-request.ts';

export type { ScoreAnswer, ScorePort, ScoreRequest } from './score-request.ts';

/** Connections to a scorer and its health are kept as long as the settings. */
const ports = new WeakMap<Config, ScorePort>();

/** Returns the port of a process: the model in process, or at MODEL_URL_SCORE. */
export function scorePortOf(services: Services): ScorePort {
  const { config } = services;
  const port = ports.get(config) ?? openPort(services);
  ports.set(config, port);
  return port;
}

function openPort(services: Services): ScorePort {
  const { config } = services;
  if (!config.MODEL_URL_SCORE) return localScorePort;
  const target = {
    url: config.MODEL_URL_SCORE,
    secrets: callerSecrets(config),
    timeoutMs: config.MODEL_SCORE_TIMEOUT_MS,
    connectTimeoutMs: config.MODEL_SCORE_CONNECT_TIMEOUT_MS,
  };
  return remoteScorePort(target, services);
}

/** Returns the scores of the standard model, and the rows that it could not score. */
export function scoreMembers({ members, cutoff, options }: ScoreRequest): ScoreAnswer {
  const scores = score(members, cutoff, options);
  const failed = failedRows(members, scores);
  return { scores, failed };
}

/** The model in this process. */
const localScorePort: ScorePort = {
  score: async (request) => scoreMembers(request),
};
