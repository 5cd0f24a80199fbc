import { Progress, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { endJob } from '../graph/toasts.ts';
import { useText, useWord } from '../messages/text.ts';

interface Job {
  readonly id: string;
  readonly state: string;
  readonly processed: number;
  readonly total?: number | null;
}

const ENDED = ['COMPLETED', 'COMPLETED_WITH_ERRORS', 'CANCELLED', 'FAILED'];
export const hasEnded = ({ state }: Pick<Job, 'state'>): boolean => ENDED.includes(state);

/** Removes the message that a job has begun, once the job has ended. */
export function useJobEnd(job: Pick<Job, 'id' | 'state'>): void {
  const { id } = job;
  const isEnded = hasEnded(job);
  useEffect(() => {
    if (isEnded) endJob(id);
  }, [id, isEnded]);
}

/** The progress of a job, in words and as a bar. */
export function JobBar({ label, job }: { readonly label: string; readonly job: Job }) {
  const [t, word] = [useText(), useWord()];
  useJobEnd(job);
  const { state, processed, total } = job;
  const share = total ? (100 * processed) / total : 0;
  return (
    <Stack gap={4}>
      <Text size="sm" aria-live="polite">
        {label}: {word(state)} ·{' '}
        {total == null ? t('job.done', { processed }) : t('job.of', { processed, total })}
      </Text>
      <Progress value={hasEnded(job) ? 100 : share} animated={!hasEnded(job)} aria-label={label} />
    </Stack>
  );
}
