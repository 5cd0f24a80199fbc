import { parseArgs } from 'node:util';
import { AppError } from '@loyalty/platform/base/errors';
import { permutedTargets } from '../estimators/permuted-targets.ts';
import { readSamples } from '../estimators/samples.ts';
import type { AlignmentTarget, TrainingTask } from '../estimators/training-request.ts';
import { checkAlignment, fitAlignment } from '../pipelines/align.ts';
import { trainSamples } from '../pipelines/train-samples.ts';
import { validateSamples } from './validated-samples.ts';

const TARGETS: readonly string[] = ['purchase', 'churn', 'abandonment'];

/**
 * Aligns the standard model to a file of samples like the product does and prints the held-out figures.
 *
 * @param args - the file, `--target` (purchase), `--horizon` in days (30) and `--permutations`: the number of
 *   trials with permuted targets, which must never pass (0)
 * @returns 0 if every gate is passed, and no trial with permuted targets passes, else 1
 */
export function validateAlignment(args: readonly string[]): number {
  const options = () => optionsOf(args);
  return validateSamples(
    () => {
      const { file, target, horizon } = options();
      const request = requestOf(target, horizon);
      return {
        file,
        issuesOf: (content) => checkAlignment(request.config, content, new Date(request.uploadedAt)).issues,
        train: (content, onProgress) => fitAlignment({ ...request, content }, onProgress),
      };
    },
    (content) => noisePasses(content, options()) === 0,
  );
}

interface AlignmentOptions {
  readonly file: string;
  readonly target: AlignmentTarget;
  /** In days. */
  readonly horizon: number;
  readonly permutations: number;
}

function optionsOf(args: readonly string[]): AlignmentOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      target: { type: 'string', default: 'purchase' },
      horizon: { type: 'string', default: '30' },
      permutations: { type: 'string', default: '0' },
    },
  });
  const [file, ...more] = positionals;
  const { target } = values;
  if (file === undefined || more.length > 0 || !isTarget(target))
    throw new AppError('BAD_USER_INPUT', 'VALIDATION_FAILED', 'Name one CSV file and a target.');
  return { file, target, horizon: Number(values.horizon), permutations: Number(values.permutations) };
}

const isTarget = (text: string): text is AlignmentTarget => TARGETS.includes(text);

const requestOf = (subject: AlignmentTarget, horizon: number) => ({
  subject,
  config: { origin: 'live' as const, horizon, ruleVersion: null, definition: null },
  uploadedAt: new Date().toISOString(),
  base: null,
});

/** Counts the trials with permuted targets that pass every gate. */
function noisePasses(content: string, { target, horizon, permutations }: AlignmentOptions): number {
  let passes = 0;
  for (let seed = 1; seed <= permutations; seed += 1) {
    const request = { ...requestOf(target, horizon), content: permutedTargets(content, seed) };
    if (fitAlignment(request, () => undefined).passed) passes += 1;
  }
  if (permutations > 0) console.log(`Permuted targets passed ${passes} of ${permutations} times.`);
  return passes;
}

/**
 * Trains on a file of samples like the product does and prints the held-out figures.
 *
 * @param args - the file, and `--horizon` in days (30)
 * @returns 0 if every gate is passed, else 1
 */
export const validateTask = (task: TrainingTask, args: readonly string[]): number =>
  validateSamples(() => {
    const { file, horizon } = taskOptionsOf(args);
    const config = { origin: 'live', horizon, ruleVersion: 'file', definition: null } as const;
    const now = new Date();
    const request = { subject: task, config, uploadedAt: now.toISOString(), base: null };
    return {
      file,
      issuesOf: (content) => readSamples(task, config, content, now).issues,
      train: (content, onProgress) => trainSamples({ ...request, content }, onProgress),
    };
  });

function taskOptionsOf(args: readonly string[]): { file: string; horizon: number } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { horizon: { type: 'string', default: '30' } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new AppError('BAD_USER_INPUT', 'VALIDATION_FAILED', 'Name one CSV file of samples.');
  return { file, horizon: Number(values.horizon) };
}
