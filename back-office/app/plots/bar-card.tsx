import { Button } from '@mantine/core';
import { useText } from '../messages/text.ts';
import { type Bar, Bars } from './bars.tsx';
import { csvOf, download } from './csv.ts';
import { PlotFrame } from './plot-frame.tsx';

interface BarCardProps {
  readonly title: string;
  /** Of its numbers, such as `points`. */
  readonly unit: string;
  /** What the numbers say, in a sentence. */
  readonly finding: string;
  /** What the bars are, in the head of the file. */
  readonly head: string;
  readonly bars: readonly Bar[];
}

/** Bars under their finding, each with its number; the same numbers as a file. */
export function BarCard({ title, unit, finding, head, bars }: BarCardProps) {
  const t = useText();
  const save = () =>
    download(`${title}.csv`, csvOf([[head, unit], ...bars.map(({ label, value }) => [label, value])]));
  return (
    <PlotFrame
      title={title}
      unit={unit}
      finding={finding}
      acts={
        <Button size="compact-xs" variant="subtle" onClick={save}>
          {t('plot.csv')}
        </Button>
      }
    >
      <Bars title={title} bars={bars} />
    </PlotFrame>
  );
}
