import { systemCaller } from '@loyalty/platform/base/caller';
import { type Loop, loop } from '@loyalty/platform/work/loops';
import { standardTrainer, type Trainer } from '../pipelines/trainer.ts';
import { ATTEMPTS_CHANNEL } from '../versions/versions.events.ts';
import { claim, runAttempt } from './run-attempt.service.ts';

const IDLE_MS = 1_000;

/** Trains and evaluates started versions, one at a time in each worker. */
export const attemptsLoop = (trainer: Trainer): Loop =>
  loop('model.train-versions', {
    places: 1,
    wakes: ATTEMPTS_CHANNEL,
    async turn(ctx) {
      const claimed = await claim(ctx);
      if (!claimed) return IDLE_MS;
      const { workspaceId, mode } = claimed;
      await runAttempt(ctx.as(systemCaller('training', { workspaceId, mode })), claimed, trainer);
      return 0;
    },
  });

export const trainVersionsLoop: Loop = attemptsLoop(standardTrainer);
