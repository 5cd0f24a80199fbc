import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { invalid } from '@loyalty/platform/base/errors';
import type { SampleIssue, TrainedArtifact, TrainingRequest } from '../estimators/training-request.ts';
import type { Trainer } from './trainer.ts';

const HEADER = 'sample_id,entity_id,as_of,label_end,target,f_x';

/** Returns samples whose mean of `f_x` is the whole artifact. */
export const samplesOf = (count: number, target = 1): string =>
  [
    HEADER,
    ...Array.from(
      { length: count },
      (_, place) => `s${place},member-${place},2025-01-01,2025-01-31,${target},${place / count}`,
    ),
  ].join('\n');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const cellsOf = (content: string): string[][] =>
  content
    .trim()
    .split('\n')
    .map((line) => line.split(','));

function issuesOf(content: string): SampleIssue[] {
  const [header = [], ...rows] = cellsOf(content);
  if (header.join(',') !== HEADER) return [{ row: 0, column: 'sample_id', message: 'is in a wrong header' }];
  return rows.flatMap((cells, place) =>
    ['0', '1'].includes(cells[4]!) ? [] : [{ row: place + 1, column: 'target', message: 'must be 0 or 1' }],
  );
}

function outcomeOf({ subject, config, content, uploadedAt, base }: TrainingRequest) {
  const rows = cellsOf(content).slice(1);
  const mean = rows.reduce((sum, cells) => sum + Number(cells[5]), 0) / rows.length;
  const passed = rows.some(([, , , , target]) => target === '1');
  const isIncremental = base !== null;
  const artifact: TrainedArtifact = { kind: 'TRAINING', subject, mean: mean.toFixed(6), isIncremental };
  const artifactJson = JSON.stringify(artifact);
  const fingerprint = sha256(artifactJson);
  const gates = [{ name: 'auc', passed, rule: 'at least', threshold: '0.6', value: passed ? '0.81' : '0.5' }];
  const metrics = { auc: passed ? '0.81' : '0.5' };
  const about = { config, evaluated_at: uploadedAt, fingerprint };
  const reportJson = JSON.stringify({
    ...about,
    evaluation: { baseline: { auc: '0.5' }, gates, metrics, passed },
  });
  const made = { artifact, artifactJson, fingerprint, reportJson, reportHash: sha256(reportJson) };
  return { ...made, passed, sampleCount: rows.length };
}

/** A trainer that needs no time, or steps of `stepMs`; samples without a positive label do not pass. */
export const meanTrainer = ({ steps = 1, stepMs = 0 } = {}): Trainer => ({
  checkSamples: (_subject, _config, content) => ({
    issues: issuesOf(content),
    sampleCount: cellsOf(content).length - 1,
  }),
  async trainVersion(request, { signal, onProgress }) {
    for (let step = 1; step <= steps; step += 1) {
      if (stepMs > 0) await delay(stepMs, undefined, { signal });
      onProgress({ step: 'fitting', done: step / steps });
    }
    return outcomeOf(request);
  },
  inferFeatures(artifact, features) {
    const value = features['f_x'];
    if (value === undefined || Object.keys(features).length > 1)
      throw invalid('features', 'must be exactly f_x');
    const inDistribution = Math.abs(value) <= 1;
    const isDecision = artifact.subject === 'item' || artifact.subject === 'basket';
    return {
      inDistribution,
      limits: inDistribution ? ['HORIZON_30_DAYS'] : ['f_x'],
      objective: `${artifact.subject}_in_30_days`,
      value: inDistribution ? value : null,
      conclusions: inDistribution ? ['Likely.'] : [],
      actions: inDistribution && isDecision ? ['Recommend tea.'] : [],
    };
  },
});

/** A trainer whose training fails. */
export const failingTrainer = (error: Error): Trainer => ({
  ...meanTrainer(),
  trainVersion: () => Promise.reject(error),
});
