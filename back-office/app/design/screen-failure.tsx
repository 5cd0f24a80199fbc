import { Stack } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { failureFrom } from '../graph/failures.ts';
import { FailureView } from './failure-view.tsx';

/** In place of a screen that could not be drawn; the frame around it stays. */
export function ScreenFailure({ reset }: ErrorComponentProps) {
  return (
    <Stack>
      <FailureView failure={failureFrom('UNKNOWN', 'UNKNOWN', {})} onRetry={reset} />
    </Stack>
  );
}
