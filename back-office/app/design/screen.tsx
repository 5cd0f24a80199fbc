import { Alert, Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import type { CallFailure } from '../graph/failures.ts';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';

interface ScreenProps {
  readonly title: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly failure?: CallFailure | null;
  readonly onRetry?: () => void;
  readonly children: ReactNode;
}

/** The frame of a screen: its title, its acts, and why it could not be loaded. */
export function Screen({ title, actions, failure, onRetry, children }: ScreenProps) {
  const { mode, workspace } = useViewer();
  useEffect(() => {
    document.title = `${mode === 'TEST' ? '[test] ' : ''}${title} · ${workspace.name}`;
  }, [title, mode, workspace.name]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center">
        <Title order={1} size="h2">
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      {failure ? <FailureView failure={failure} onRetry={onRetry} /> : children}
    </Stack>
  );
}

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

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** What a program does instead: a REST call, or a mutation of the graph. */
  readonly call?: string;
}

/** A list without rows: what to do first, also by program. */
export function Empty({ title, children, call }: EmptyProps) {
  const t = useText();
  return (
    <Stack align="center" py="xl" gap="xs">
      <Text fw={600}>{title}</Text>
      {children}
      {call && (
        <Text size="sm" c="dimmed">
          {t('empty.call')} <Code>{call}</Code>
        </Text>
      )}
    </Stack>
  );
}
