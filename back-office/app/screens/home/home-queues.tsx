import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { hasEnded, JobBar } from '../../design/job-bar.tsx';
import { Part } from '../../design/part.tsx';
import { useLive } from '../../graph/use-live.ts';
import { type TextKey, useText, useWord } from '../../messages/text.ts';
import { HomeImportDocument, type HomeQuery } from './generated/home.ts';

type Import = NonNullable<HomeQuery['imports']>['nodes'][number];

/** What waits for somebody, and what is running. */
export function HomeQueues({ data, onEnd }: { readonly data: HomeQuery; readonly onEnd: () => void }) {
  const t = useText();
  const running = data.imports?.nodes.filter((job) => job.status !== 'UPLOADING' && !hasEnded(job)) ?? [];
  const receipts = data.receipts?.totalCount ?? 0;
  return (
    <Part title={t('home.queues')}>
      {receipts > 0 && <Waiting text="home.receipts" to="/receipts" count={receipts} />}
      {running.map((job) => (
        <RunningImport key={job.id} job={job} onEnd={onEnd} />
      ))}
      {receipts === 0 && running.length === 0 && <Text c="dimmed">{t('home.nothingWaits')}</Text>}
    </Part>
  );
}

interface WaitingProps {
  readonly text: TextKey;
  readonly to: string;
  readonly count: number;
}

function Waiting({ text, to, count }: WaitingProps) {
  const t = useText();
  return (
    <Group justify="space-between">
      <Anchor component={Link} to={to}>
        {t(text, { count })}
      </Anchor>
    </Group>
  );
}

function RunningImport({ job, onEnd }: { readonly job: Import; readonly onEnd: () => void }) {
  const word = useWord();
  const data = useLive(
    HomeImportDocument,
    { id: job.id },
    { onEvent: ({ importProgress }) => hasEnded(importProgress) && onEnd() },
  );
  return <JobBar label={word(job.kind)} job={data?.importProgress ?? job} />;
}
