import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core';
import type { CallFailure } from '../graph/failures.ts';
import { useText } from '../messages/text.ts';

/** What went wrong, and what to do about it. */
export function FailureView({
  failure,
  onRetry,
}: {
  readonly failure: CallFailure;
  readonly onRetry?: (() => void) | undefined;
}) {
  const t = useText();
  const { reason, message, requestId, retryAfterSeconds } = failure;
  return (
    <Alert color="red" title={reason === 'NETWORK' ? t('error.network') : message} role="alert">
      <Stack gap="xs" align="flex-start">
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
