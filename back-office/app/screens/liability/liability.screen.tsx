import { SimpleGrid, Text } from '@mantine/core';
import { useIntl } from 'react-intl';
import { Empty, Screen } from '../../design/screen.tsx';
import { Tile } from '../../design/tile.tsx';
import { Count, Instant, None } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useConditions, useViewer } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { Bars } from '../../plots/bars.tsx';
import { lastDays } from '../../plots/days.ts';
import { TimeSeries } from '../../plots/time-series.tsx';
import { PointsLiabilityDocument, type PointsLiabilityQuery } from './generated/liability.ts';
import { monthsShown } from './months-shown.ts';

type Liability = NonNullable<PointsLiabilityQuery['pointsLiability']>;

const DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;

export default function PointsLiability() {
  const t = useText();
  return (
    <Guarded title={t('liability.title')} document="PointsLiability">
      <LiabilityScreen />
    </Guarded>
  );
}

function LiabilityScreen() {
  const t = useText();
  const { workspace } = useViewer();
  const variables = { ...useConditions('PointsLiability'), from: lastDays(DAYS, workspace.timeZone) };
  const { data, failure, reload } = useScreen(PointsLiabilityDocument, variables);
  const liability = data?.pointsLiability;
  return (
    <Screen title={t('liability.title')} failure={failure} onRetry={reload}>
      {data && !liability && <Empty title={t('liability.notYet')} />}
      {liability && (
        <>
          <Text size="sm" c="dimmed">
            {t('liability.takenAt')} <Instant at={liability.takenAt} />
          </Text>
          <Figures of={liability} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Months of={liability} />
            {variables.canSeeTiers && <Tiers of={liability} />}
          </SimpleGrid>
          {liability.days.length > 1 && <Days days={liability.days} />}
        </>
      )}
    </Screen>
  );
}

function Figures({ of }: { readonly of: Liability }) {
  const t = useText();
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Tile title={t('liability.outstanding')}>
        <Count of={of.outstanding} />
      </Tile>
      <Tile title={t('liability.pending')}>
        <Count of={of.pending} />
      </Tile>
      <Tile title={t('liability.redemptionRate')}>
        <Rate of={of.redemptionRate} />
      </Tile>
      <Tile title={t('liability.expiryRate')}>
        <Rate of={of.expiryRate} />
      </Tile>
    </SimpleGrid>
  );
}

/** A share of the issued points. */
function Rate({ of }: { readonly of: number | null }) {
  const t = useText();
  const { formatNumber } = useIntl();
  if (of === null) return <None reason={t('liability.noneIssued')} />;
  return <>{formatNumber(of, { style: 'percent', maximumFractionDigits: 1 })}</>;
}

function Months({ of }: { readonly of: Liability }) {
  const t = useText();
  const { formatDate, formatNumber } = useIntl();
  const { months, later } = monthsShown(of.byExpiryMonth);
  const nameOf = (month: string) => formatDate(month, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const [first] = months;
  const finding = first
    ? t('liability.nextExpiry', { points: formatNumber(first.value), month: nameOf(first.month) })
    : t('liability.noExpiry');
  return (
    <Bars
      title={t('liability.byMonth')}
      unit={t('unit.points')}
      finding={finding}
      head={t('liability.month')}
      bars={[
        ...months.map(({ month, value }) => ({ key: month, label: nameOf(month), value })),
        ...(later > 0 ? [{ key: 'later', label: t('liability.later'), value: later }] : []),
        { key: 'never', label: t('liability.never'), value: Number(of.neverExpiring) },
      ]}
    />
  );
}

function Tiers({ of }: { readonly of: Liability }) {
  const t = useText();
  const { formatNumber } = useIntl();
  const bars = of.byTier.map(({ tier, outstanding }) => ({
    key: tier?.id ?? 'none',
    label: tier?.name ?? t('liability.noTier'),
    value: Number(outstanding),
  }));
  const [first] = bars;
  const total = Number(of.outstanding);
  const finding =
    first && total > 0
      ? t(first.key === 'none' ? 'liability.mostWithout' : 'liability.mostAt', {
          tier: first.label,
          percent: formatNumber(first.value / total, { style: 'percent', maximumFractionDigits: 0 }),
        })
      : t('liability.nothing');
  return (
    <Bars
      title={t('liability.byTier')}
      unit={t('unit.points')}
      finding={finding}
      head={t('liability.tier')}
      bars={bars}
    />
  );
}

function Days({ days }: Pick<Liability, 'days'>) {
  const t = useText();
  const { formatNumber } = useIntl();
  const outstanding = days.map((day) => Number(day.outstanding));
  const change = outstanding.at(-1)! - outstanding[0]!;
  const finding = t(change < 0 ? 'liability.fell' : 'liability.rose', {
    points: formatNumber(Math.abs(change)),
    days: Math.round((Date.parse(days.at(-1)!.date) - Date.parse(days[0]!.date)) / DAY_MS),
  });
  return (
    <TimeSeries
      title={t('liability.byDay')}
      unit={t('unit.points')}
      finding={finding}
      dates={days.map(({ date }) => date)}
      series={[
        { title: t('liability.outstanding'), values: outstanding },
        { title: t('liability.pending'), values: days.map(({ pending }) => Number(pending)), isSecond: true },
      ]}
      format={(value) => formatNumber(value, { notation: 'compact' })}
    />
  );
}
