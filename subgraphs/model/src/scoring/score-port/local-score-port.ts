import { score } from '../standard-scores/score.ts';
import { failedRows } from './failed-rows.ts';
import type { ScoreAnswer, ScorePort, ScoreRequest } from './score-request.ts';

/** Scores by the standard model, and the rows that it could not score. */
export function scoreMembers({ members, cutoff, options }: ScoreRequest): ScoreAnswer {
  const scores = score(members, cutoff, options);
  const failed = failedRows(members, scores);
  return { scores, failed };
}

/** The model in this process. */
export const localScorePort: ScorePort = {
  score: async (request) => scoreMembers(request),
};
