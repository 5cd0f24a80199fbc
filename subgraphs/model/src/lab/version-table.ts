import type { ByVersion, Forecasts, VersionComparison } from './compare-versions.ts';

const HEAD = [
  'members',
  'scores',
  'purchase',
  'long gap',
  'browsers',
  'by the day',
  'HIGH',
  'MEDIUM',
  'LOW',
] as const;

/**
 * Formats comparisons as a table in Markdown: AUC of std-1 → std-2, and shares of forecasts that came true.
 */
export const versionTable = (comparisons: readonly VersionComparison[]): string[] => [
  row(HEAD),
  row(HEAD.map(() => '---')),
  ...comparisons.map((comparison) => row(cellsOf(comparison))),
];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const cellsOf = ({
  name,
  scores,
  purchase,
  longGap,
  browsers,
  byDay,
  inBand,
}: VersionComparison): string[] => [
  name,
  String(scores),
  change(purchase),
  change(longGap),
  browsers ? change(browsers.auc) : '-',
  share(byDay),
  share(inBand.HIGH),
  share(inBand.MEDIUM),
  share(inBand.LOW),
];

const change = (figures: ByVersion): string => `${figure(figures['std-1'])} → ${figure(figures['std-2'])}`;

/** Shares of fewer forecasts are not significant and not shown. */
const GIVEN_MIN = 50;
const share = ({ given, true: isTrue }: Forecasts): string =>
  given < GIVEN_MIN ? '-' : figure(isTrue / given);

const figure = (value: number): string => value.toFixed(3).replace(/^0/, '');
