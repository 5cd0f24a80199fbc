import { Anchor, Card, Group, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { ActivityList } from '../../design/activity-list.tsx';
import { hasEnded, JobBar } from '../../design/job-bar.tsx';
import { Part } from '../../design/part.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { LinkTile } from '../../design/tile.tsx';
import { Count } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useConditions } from '../../graph/viewer.ts';
import { type TextKey, useText, useWord } from '../../messages/text.ts';
import {
  HomeActivityDocument,
  type HomeActivitySubscription,
  HomeDocument,
  HomeImportDocument,
  type HomeQuery,
} from './generated/home.ts';
import { WaitingPlots } from './home-waiting.tsx';

const HomePlots = lazyPart(() => import('./home-plots.tsx'));
const HomeTrend = lazyPart(() => import('./home-trend.tsx'));

type Happening = HomeActivitySubscription['workspaceActivity'];
const SHOWN = 15;
/** Minimum interval between two counts. A busy workspace is not counted again for each event. */
const COUNT_EVERY_MS = 5_000;
/** Height of the queues while they are empty, in pixels. */
const QUEUES_PX = 90;

export default function Home() {
  const t = useText();
  return (
    <Guarded title={t('home.title')} document="Home">
      <HomeScreen />
    </Guarded>
  );
}

function HomeScreen() {
  const t = useText();
  const variables = useConditions('Home');
  const { data, failure, reload } = useScreen(HomeDocument, variables);
  const reloadSoon = useThrottledCallback(reload, COUNT_EVERY_MS);
  return (
    <Screen title={t('home.title')} failure={failure} onRetry={reload}>
      <SimpleGrid cols={{ base: 2, md: variables.canSeeLiability ? 5 : 4 }}>
        <LinkTile title={t('home.members')} to="/members" trend={<Trend of="joined" />}>
          <Count of={data?.members.totalCount} />
        </LinkTile>
        <LinkTile title={t('home.active')} to="/members" search={{ status: 'ACTIVE' }}>
          <Count of={data?.active.totalCount} />
        </LinkTile>
        {variables.canSeeLiability && (
          <LinkTile title={t('liability.outstanding')} to="/liability">
            <Count of={data?.pointsLiability?.outstanding} />
          </LinkTile>
        )}
        {variables.canSeeOrders && (
          <LinkTile title={t('home.orders')} to="/orders" trend={<Trend of="orders" />}>
            <Count of={data?.orders?.totalCount} />
          </LinkTile>
        )}
        {variables.canSeeWallet && (
          <LinkTile title={t('home.credits')} to="/credits">
            <Count of={data?.wallet?.available} />
          </LinkTile>
        )}
      </SimpleGrid>
      <Suspense fallback={<WaitingPlots />}>
        <HomePlots />
      </Suspense>
      {data ? <HomeQueues data={data} onEnd={reload} /> : <Skeleton height={QUEUES_PX} />}
      {variables.canSeeActivity && (
        <Feed before={data && (data.activity?.nodes ?? [])} onEvent={reloadSoon} />
      )}
    </Screen>
  );
}

/** The trend of a number. It loads after the number. */
function Trend({ of }: { readonly of: 'joined' | 'orders' }) {
  return (
    <Suspense>
      <HomeTrend of={of} />
    </Suspense>
  );
}

/** The activity: live events above earlier ones. */
function Feed({
  before,
  onEvent: onNews,
}: {
  /** Undefined while it loads. */
  readonly before: readonly Happening[] | undefined;
  readonly onEvent: () => void;
}) {
  const t = useText();
  const [live, setLive] = useState<readonly Happening[]>([]);
  const onEvent = ({ workspaceActivity }: HomeActivitySubscription): void => {
    setLive((kept) => [workspaceActivity, ...kept].slice(0, SHOWN));
    onNews();
  };
  useLive(HomeActivityDocument, useConditions('HomeActivity'), { onEvent });
  return (
    <Card withBorder>
      <Title order={2} size="h4" mb="sm">
        {t('home.happening')}
      </Title>
      {live.length === 0 && before?.length === 0 && (
        <Empty title={t('home.quiet')} call="POST /api/v2/members" />
      )}
      <ActivityList live={live} before={before ?? []} shown={SHOWN} />
    </Card>
  );
}

type Import = NonNullable<HomeQuery['imports']>['nodes'][number];

/** Receipts that wait for a review, and running imports. */
function HomeQueues({ data, onEnd }: { readonly data: HomeQuery; readonly onEnd: () => void }) {
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
