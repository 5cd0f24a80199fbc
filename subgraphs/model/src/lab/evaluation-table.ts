import type { Bounded, EvaluatedWindows, MethodFigures } from './method-figures.ts';
import type { PredictionMethod } from './rolling-windows.ts';

/** Method names for readers. */
export const methodNames: Readonly<Record<PredictionMethod, string>> = {
  standard: 'standard model',
  aligned: 'aligned head',
  bg_nbd: 'BG/NBD, fitted',
  rfm: 'RFM logistic',
  recency: 'recency alone',
  frequency: 'frequency alone',
};

const HEAD = ['method', 'AUC', 'Brier skill', 'log-loss', 'ECE', 'lift'] as const;
const WIDTHS = [16, 18, 20, 20, 7, 18] as const;

/** Formats the figures of windows as lines of text. */
export function evaluationTable({ name, customers, rate, methods }: EvaluatedWindows): string[] {
  return [
    `${name}: ${customers} scores, rate ${figure(rate)}`,
    line(HEAD),
    ...methods.map((method) => line(cellsOf(method))),
  ];
}

/** Returns the cells of a method: name, and figures with their bounds; a dash if a method has no chances. */
export const cellsOf = ({ method, auc, brierSkill, logLoss, ece, lift }: MethodFigures): string[] => [
  methodNames[method],
  ranged(auc),
  ranged(brierSkill),
  ranged(logLoss),
  ece === null ? '-' : figure(ece),
  ranged(lift),
];

export const tableHead: readonly string[] = HEAD;

const line = (cells: readonly string[]): string =>
  `  ${cells.map((cell, place) => cell.padEnd(WIDTHS[place]!)).join(' ')}`.trimEnd();

const figure = (value: number): string => value.toFixed(3).replace(/^(-?)0\./, '$1.');

const ranged = (bounded: Bounded | null): string =>
  bounded === null ? '-' : `${figure(bounded.value)} ${figure(bounded.low)}–${figure(bounded.high)}`;
