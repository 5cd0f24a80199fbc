import { Group, Text } from '@mantine/core';
import { scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { useIntl } from 'react-intl';
import { Count } from '../design/values.tsx';
import { useText } from '../messages/text.ts';
import { PlotFrame, type PlotHead, usePercent } from './plot-frame.tsx';
import classes from './plots.module.css';

interface Step {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  /** Reasons why members of the previous step did not reach this step. */
  readonly skipped?: readonly { readonly reason: string; readonly count: number }[];
}

interface FunnelProps extends PlotHead {
  readonly steps: readonly Step[];
}

const WIDTH = 100;

/** The count of each step, as a share of the first step and of the previous step. */
export function Funnel({ steps, ...frame }: FunnelProps) {
  const t = useText();
  const percent = usePercent();
  const reasonsOf = useReasons();
  const hasReasons = steps.some(({ skipped }) => skipped);
  const reached = steps.map((step, place) => {
    const before = steps[place - 1]?.count ?? step.count;
    return {
      ...step,
      before,
      ofFirst: share(step.count, steps[0]!.count),
      ofBefore: share(step.count, before),
    };
  });
  return (
    <PlotFrame
      {...frame}
      columns={[
        { head: t('plot.step') },
        { head: frame.unit },
        { head: t('plot.ofFirst'), number: percent },
        { head: t('plot.ofBefore'), number: percent },
        ...(hasReasons ? [{ head: t('plot.skipped') }] : []),
      ]}
      rows={reached.map((step) => [
        ...[step.label, step.count, step.ofFirst, step.ofBefore],
        ...(hasReasons ? [reasonsOf(step)] : []),
      ])}
    >
      <Steps title={frame.title} steps={reached} />
    </PlotFrame>
  );
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function useReasons() {
  const { formatNumber } = useIntl();
  return ({ skipped = [] }: Step): string =>
    skipped.map(({ reason, count }) => `${reason}: ${formatNumber(count)}`).join('; ');
}

interface Reached extends Step {
  /** Count of the previous step. */
  readonly before: number;
  readonly ofFirst: number;
  readonly ofBefore: number;
}

function Steps({ title, steps }: { readonly title: string; readonly steps: readonly Reached[] }) {
  const t = useText();
  const percent = usePercent();
  const reasonsOf = useReasons();
  const top = Math.max(1, ...steps.map(({ count }) => count));
  const x = scaleLinear<number>({ domain: [0, top], range: [0, WIDTH] });
  return (
    <ol className={classes['steps']} aria-label={title}>
      {steps.map((step, place) => (
        <li key={step.key}>
          <Group justify="space-between" wrap="nowrap" align="end">
            <Text className={classes['label']}>{step.label}</Text>
            <Text fw={600}>
              <Count of={step.count} />
            </Text>
          </Group>
          <svg
            viewBox={`0 0 ${WIDTH} 8`}
            preserveAspectRatio="none"
            className={classes['bars']}
            aria-hidden="true"
          >
            <Bar width={x(step.before)} height={8} className={classes['barBefore']} />
            <Bar width={x(step.count)} height={8} className={classes['barAfter']} />
          </svg>
          {place > 0 && (
            <Text size="xs" c="dimmed">
              {t('plot.reached', { first: percent(step.ofFirst), before: percent(step.ofBefore) })}
            </Text>
          )}
          {step.skipped && (
            <Text size="xs" c="dimmed">
              {t('plot.skippedWhy', { reasons: reasonsOf(step) })}
            </Text>
          )}
        </li>
      ))}
    </ol>
  );
}
