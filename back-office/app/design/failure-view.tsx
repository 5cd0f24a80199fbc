import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { type CallFailure, failureFrom } from '../graph/failures.ts';
import { useSentences } from '../messages/sentences.ts';
import { useText } from '../messages/text.ts';

interface FailureViewProps {
  readonly failure: CallFailure;
  readonly onRetry?: (() => void) | undefined;
  readonly color?: 'red' | 'yellow';
}

/** The sentence of a failure, its rules, and a button to retry. */
export function FailureView({ failure, onRetry, color = 'red' }: FailureViewProps) {
  const t = useText();
  const say = useSentences(true);
  const { reason, faults, requestId, retryAfterSeconds } = failure;
  if (!say) return null;
  const rules = new Set(faults.filter(({ rule }) => rule !== null).map(say.ofFault));
  return (
    <Alert color={color} title={say.ofFailure(failure)} role="alert">
      <Stack gap="xs" align="flex-start">
        {[...rules].map((sentence) => (
          <Text size="sm" key={sentence}>
            {sentence}
          </Text>
        ))}
        {retryAfterSeconds !== null && (
          <Text size="sm">{t('error.retryAfter', { seconds: retryAfterSeconds })}</Text>
        )}
        {reason !== 'NETWORK' && reason !== 'UNKNOWN' && (
          <Text size="sm">
            <Anchor href={`/docs/errors/${reason}`} target="_blank" size="sm">
              {reason}
            </Anchor>
            {requestId && (
              <>
                {' · '}
                {t('error.request')} <Code>{requestId}</Code>
              </>
            )}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('error.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Replaces a screen that could not be rendered. The frame around it stays. */
export function ScreenFailure({ reset }: ErrorComponentProps) {
  return (
    <Stack>
      <FailureView failure={failureFrom('UNKNOWN', 'UNKNOWN', {})} onRetry={reset} />
    </Stack>
  );
}
