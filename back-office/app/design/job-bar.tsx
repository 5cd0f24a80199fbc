import { Progress, Stack, Text } from '@mantine/core';
import { useText, useWord } from '../messages/text.ts';

interface Job {
  readonly state: string;
  readonly processed: number;
  readonly total?: number | null;
}

const ENDED = ['COMPLETED', 'COMPLETED_WITH_ERRORS', 'CANCELLED', 'FAILED'];
export const hasEnded = ({ state }: Job): boolean => ENDED.includes(state);

/** How far a job is, in words and as a bar. */
export function JobBar({ label, job }: { readonly label: string; readonly job: Job }) {
  const [t, word] = [useText(), useWord()];
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
