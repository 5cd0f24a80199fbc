import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  type ScoreRequest,
  scoreMembers,
  scorePortOf,
} from '@loyalty/model-subgraph/standard-model/score-port';
import { NO_FIGURES } from '@loyalty/model-subgraph/standard-model/statistics-block';
import { blockOf, CUTOFF } from '@loyalty/model-subgraph/standard-model/statistics-block.fixture';
import { loadConfig } from '@loyalty/platform/config/config';
import { useServices } from '../harness/services.ts';
import { startProcess } from './processes.ts';

const { services } = useServices();

test('serve scorer needs no database, scores for a process that names it, and stops when it is asked to', async () => {
  const LOYALTY_MASTER_KEYS = `test:${randomBytes(32).toString('base64')}`;
  const METRICS_TOKEN = 'a token of the test';
  const scorer = await startProcess(['serve', 'scorer'], {
    NODE_ENV: 'production',
    LOYALTY_MASTER_KEYS,
    METRICS_TOKEN,
  });
  try {
    const config = loadConfig({ LOYALTY_MASTER_KEYS, MODEL_URL_SCORE: scorer.url }, '/nowhere');
    const port = scorePortOf({ ...services, config });
    expect(scorePortOf({ ...services, config })).toBe(port);
    const request: ScoreRequest = {
      members: blockOf([
        { purchaseDays: 4, firstAgo: 90, lastAgo: 10 },
        { purchaseDays: 4, firstAgo: 1, lastAgo: 9 },
      ]),
      cutoff: CUTOFF,
      options: { version: 'std-1', pool: { adds: 10, removes: 3 }, figures: NO_FIGURES, gapDays: 45 },
    };
    request.members.lastDay[1] = CUTOFF.day - 20;
    const answer = await port.score(request);
    expect(answer).toEqual(scoreMembers(request));
    expect(answer.failed).toEqual(Uint8Array.of(0, 1));
    expect((await fetch(`${scorer.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${scorer.url}/metrics`)).status).toBe(401);
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const shown = await (await fetch(`${scorer.url}/metrics`, { headers })).text();
    expect(shown).toContain(
      'loyalty_request_seconds_count{channel="scorer",operation="POST /score",status="200"} 1',
    );
    expect(await scorer.end()).toBe(0);
    await expect(port.score(request)).rejects.toMatchObject({ code: 'MODEL_SERVICE_UNAVAILABLE' });
    expect(scorer.output()).not.toMatch(/error/i);
  } finally {
    await scorer.end();
  }
});
