import { html, htmlPage, htmlTable } from '@loyalty/platform/base/html';
import { type ChartSeries, lineChart } from '../versions/line-chart.ts';
import { cellsOf, methodNames, tableHead } from './evaluation-table.ts';
import { type EvaluatedWindows, gainsOf, type MethodFigures } from './method-figures.ts';
import { type EvaluationOptions, type JudgedWindow, METHODS } from './rolling-windows.ts';

/** The content of a page. */
export interface Evaluation {
  readonly options: EvaluationOptions;
  /** Newest first. */
  readonly windows: readonly JudgedWindow[];
  readonly all: EvaluatedWindows;
  readonly each: readonly EvaluatedWindows[];
}

/** Renders tables and charts of an evaluation as one HTML page without scripts. */
export function evaluationPage({ options, windows, all, each }: Evaluation): string {
  const { target, horizon } = options;
  return htmlPage({
    title: `How well is ${target} within ${horizon} days predicted?`,
    body: html`<p>Each window is judged by what was known at its cutoff. Bounds are 95% of 200 resamples of
customers. The head of the newest window is “${windows[0]!.head}”.</p>
<h2>All windows</h2>
${tableOf(all)}
<h2>Reliability</h2>
${reliability(all.methods)}
<h2>Area under the curve by cutoff</h2>
${aucByCutoff(each)}
<h2>Gains</h2>
${gains(windows)}
<h2>Each window</h2>
${each.map(tableOf)}`,
  });
}

const tableOf = (evaluated: EvaluatedWindows) =>
  htmlTable({
    caption: `${evaluated.name}: ${evaluated.customers} scores, rate ${evaluated.rate.toFixed(3)}`,
    head: tableHead,
    rows: evaluated.methods.map(cellsOf),
  });

const reliability = (methods: readonly MethodFigures[]) =>
  lineChart({
    title: 'Reliability',
    description: 'Mean score and observed share of groups with similar scores. On the diagonal they agree.',
    xLabel: 'Mean score',
    yLabel: 'Observed share',
    hasDiagonal: true,
    xMax: 1,
    yMax: 1,
    series: methods
      .filter(({ calibration }) => calibration.length > 0)
      .map(({ method, calibration }) => ({
        name: methodNames[method],
        points: calibration.map(({ predicted, observed }) => ({ x: predicted, y: observed })),
      })),
  });

function aucByCutoff(each: readonly EvaluatedWindows[]) {
  const oldestFirst = each.toReversed();
  const series = METHODS.map(
    (method): ChartSeries => ({
      name: methodNames[method],
      points: oldestFirst.map(({ methods }, place) => {
        const { auc } = methods.find((figures) => figures.method === method)!;
        return { x: place + 1, y: auc.value, low: auc.low, high: auc.high };
      }),
    }),
  );
  return lineChart({
    title: 'Area under the curve by cutoff',
    description: `Windows from ${oldestFirst[0]!.name} to ${oldestFirst.at(-1)!.name}, with bounds of 95%.`,
    xLabel: 'Window, the oldest first',
    yLabel: 'Area under the curve',
    yMax: 1,
    series,
  });
}

function gains(windows: readonly JudgedWindow[]) {
  const labels = windows.flatMap((window) => [...window.labels]);
  return lineChart({
    title: 'Gains',
    description: 'Share of all who did it among the customers with the best scores.',
    xLabel: 'Customers, the best scores first',
    yLabel: 'Share found',
    hasDiagonal: true,
    series: METHODS.map((method) => ({
      name: methodNames[method],
      points: gainsOf(
        windows.flatMap((window) => [...window.scores[method]]),
        labels,
      ),
    })),
  });
}
