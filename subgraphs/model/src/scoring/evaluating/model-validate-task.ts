import { parseArgs } from 'node:util';
import { AppError } from '@loyalty/platform/errors';
import { trainSamples } from '../../training/learning/train-samples.ts';
import type { TrainingTask } from '../../training/measures/training-request.ts';
import { readSamples } from '../../training/samples/samples.ts';
import { validateSamples } from './validated-samples.ts';

/**
 * Trains on a file of samples as the product does and prints what the held-out side says.
 *
 * @param args - the file, and `--horizon` in days (30)
 * @returns 0 where every gate is passed, else 1
 */
export const validateTask = (task: TrainingTask, args: readonly string[]): number =>
  validateSamples(() => {
    const { file, horizon } = optionsOf(args);
    const config = { origin: 'live', horizon, ruleVersion: 'file', definition: null } as const;
    const now = new Date();
    const request = { subject: task, config, uploadedAt: now.toISOString(), base: null };
    return {
      file,
      issuesOf: (content) => readSamples(task, config, content, now).issues,
      train: (content, onProgress) => trainSamples({ ...request, content }, onProgress),
    };
  });

function optionsOf(args: readonly string[]): { file: string; horizon: number } {
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
