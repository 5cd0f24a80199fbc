import { createHash } from 'node:crypto';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { type Gate, gate } from '../estimators/gates.ts';
import type {
  AlignmentTarget,
  TrainingConfig,
  TrainingOutcome,
  TrainingProgress,
} from '../estimators/training-request.ts';
import { logLoss, sumOf } from '../numerics/metrics.ts';
import { hashOf } from '../numerics/seeded-random.ts';
import { alignmentModelOf } from '../pipelines/alignment-artifact.ts';
import { alignmentOutcome } from '../pipelines/alignment-outcome.ts';
import { backboneModel } from '../pipelines/event-signals.ts';
import {
  type ChosenHead,
  chooseHead,
  fitHead,
  type HeadCandidate,
  type HeadChoice,
  type HeadRows,
  headChances,
  someRows,
  varyingSignals,
} from '../pipelines/head-choice.ts';
import { type HeadFigures, headFigures } from '../pipelines/head-figures.ts';
import {
  countsOf,
  hasStandardScore,
  labelGates,
  leakageGate,
  SAMPLES_MIN,
  signalFigures,
  standardLimitations,
} from '../pipelines/head-samples.ts';
import { headFoldOf } from '../pipelines/head-splits.ts';
import { HISTORY_SIGNALS, HISTORY_WIDTH } from './history-signals.ts';
import type { LabeledHistory, LabeledWindow } from './labeled-windows.ts';
import { treeRival } from './tree-rival.ts';

/** Labels of past windows, and the target of the head. */
export interface OwnHistoryRequest {
  readonly target: AlignmentTarget;
  readonly config: TrainingConfig;
  /** At least two windows, newest first; the newest is held out. */
  readonly history: LabeledHistory;
  /** ISO 8601. */
  readonly evaluatedAt: string;
}

const FOLDS = [0, 1, 2, 3, 4] as const;
/** The AUC that a head may lose against the standard model. */
const AUC_LOSS_MAX = 0.002;
/** Rows on which heads and penalties are compared: more do not change the choice. */
const CHOICE_ROWS_MAX = 20_000;

const candidates: readonly HeadCandidate[] = [
  { head: 'platt', signals: HISTORY_SIGNALS.slice(0, 1) },
  { head: 'recency_frequency', signals: HISTORY_SIGNALS.slice(0, 3) },
  { head: 'own_history', signals: HISTORY_SIGNALS },
];

/**
 * Fits a head to the past windows and evaluates it on the newest one, each member by a head that has not seen
 * it. The standard model must not be better in that window, neither for all members nor for the newest third.
 * The same facts give the same bits.
 */
export function fitOwnHistory(
  { target, config, history, evaluatedAt }: OwnHistoryRequest,
  onProgress: (progress: TrainingProgress) => void,
): TrainingOutcome {
  const { windows, memberIds } = history;
  const [newest, ...past] = windows as [LabeledWindow, ...LabeledWindow[]];
  const dataHash = hashOfWindows(windows);
  const seed = Number.parseInt(dataHash.slice(0, 8), 16);
  const [train, heldOut] = [rowsOfWindows(past, memberIds), rowsOfWindows([newest], memberIds)];
  onProgress({ step: 'Choosing a head on the past windows', done: 0.5 });
  const chosen = withTrees(chooseHead(sampleOf(train), candidates, seed), past, memberIds, seed);
  onProgress({ step: 'Fitting the head', done: 0.65 });
  const chances = crossFitted(train, heldOut, chosen.choice);
  onProgress({ step: 'Measuring the newest window', done: 0.8 });
  const baseRate = sumOf(train.labels) / train.labels.length;
  const figures = headFigures({ ...heldOut, chances, baseRate }, seed, {
    aboveStandardMax: hasStandardScore(target) ? 0 : null,
  });
  const model = modelOf(target, config, chosen.choice, train);
  const third = newestThird(newest, heldOut, chances);
  const signals = signalFigures(heldOut);
  onProgress({ step: 'Writing the report', done: 0.97 });
  return alignmentOutcome({
    model,
    config,
    chosen,
    gates: [
      ...sizeGates(train, 'past_'),
      ...sizeGates(heldOut, ''),
      ...figures.gates,
      ...(hasStandardScore(target) ? standardGates(figures, third) : []),
      leakageGate(signals),
    ],
    figures,
    signals,
    data: { sha256: dataHash, evaluatedAt, seed },
    samples: { ...countsOf(heldOut), train: countsOf(train), windows: windows.map(windowFigures) },
    slices: [{ by: 'members', name: 'newest_third', ...third }],
  });
}

/** Returns the report's figures of a window. */
const windowFigures = ({ cutoffDay, labelEndDay, labels }: LabeledWindow) => ({
  as_of: dateOf(cutoffDay),
  label_end: dateOf(labelEndDay),
  rows: labels.length,
  positives: sumOf(labels),
});

const modelOf = (target: AlignmentTarget, config: TrainingConfig, choice: HeadChoice, train: HeadRows) =>
  alignmentModelOf(
    {
      subject: target,
      source: 'own_history',
      head: choice.head,
      standardModel: backboneModel,
      limitations: [
        'Score describes members as in the past windows; it says nothing about causes.',
        ...standardLimitations(target),
      ],
    },
    config,
    fitHead(train, choice),
    train,
  );

function rowsOfWindows(windows: readonly LabeledWindow[], memberIds: readonly string[]): HeadRows {
  const count = windows.reduce((sum, { labels }) => sum + labels.length, 0);
  const rows = { count, width: HISTORY_WIDTH, values: new Float64Array(count * HISTORY_WIDTH) };
  const [labels, standard] = [new Uint8Array(count), new Float64Array(count)];
  const entities: string[] = [];
  for (const window of windows) {
    rows.values.set(window.values, entities.length * HISTORY_WIDTH);
    labels.set(window.labels, entities.length);
    standard.set(window.standard, entities.length);
    for (const member of window.members) entities.push(memberIds[member]!);
  }
  return { names: HISTORY_SIGNALS, rows, labels, entities, standard };
}

/**
 * Replaces the chosen head by trees if the lower bound of their gain is positive; compares them on two
 * windows.
 */
function withTrees(
  chosen: ChosenHead,
  past: readonly LabeledWindow[],
  memberIds: readonly string[],
  seed: number,
): ChosenHead {
  const [newest, ...older] = past as [LabeledWindow, ...LabeledWindow[]];
  if (older.length === 0) return chosen;
  const sides = [older, [newest]].map((windows) => sampleOf(rowsOfWindows(windows, memberIds)));
  const signals = varyingSignals(sides[0]!);
  const rival = treeRival(sides[0]!, sides[1]!, chosen.choice, signals, seed);
  if (!rival) return chosen;
  return {
    choice: rival.gain.low > 0 ? rival.choice : chosen.choice,
    candidates: [...chosen.candidates, { ...rival.choice, gain: rival.gain }],
  };
}

/** Returns all windows of some members: about as many rows as heads are compared on. */
function sampleOf(train: HeadRows): HeadRows {
  const parts = Math.ceil(train.labels.length / CHOICE_ROWS_MAX);
  const rows = Uint32Array.from(train.labels, (_, row) => row);
  return parts <= 1
    ? train
    : someRows(
        train,
        rows.filter((row) => hashOf(train.entities[row]!) % parts === 0),
      );
}

/**
 * Returns the chances of the newest window's members by heads that were fitted to the past of other members.
 */
function crossFitted(train: HeadRows, heldOut: HeadRows, choice: HeadChoice): Float64Array {
  const folds = new Map<string, number>();
  const foldsOf = ({ entities }: HeadRows) =>
    Uint8Array.from(entities, (entity) => {
      const fold = folds.get(entity) ?? headFoldOf(entity);
      folds.set(entity, fold);
      return fold;
    });
  const [trainFolds, heldOutFolds] = [foldsOf(train), foldsOf(heldOut)];
  const placesOf = (all: Uint8Array, isWanted: (fold: number) => boolean) =>
    Uint32Array.from(all, (_, row) => row).filter((row) => isWanted(all[row]!));
  const chances = new Float64Array(heldOut.labels.length);
  for (const fold of FOLDS) {
    const outside = placesOf(heldOutFolds, (each) => each === fold);
    const inside = placesOf(trainFolds, (each) => each !== fold);
    const predicted = headChances(fitHead(someRows(train, inside), choice), someRows(heldOut, outside));
    outside.forEach((row, place) => {
      chances[row] = predicted[place]!;
    });
  }
  return chances;
}

/** The third of the newest window's members with the latest first purchase. */
function newestThird({ firstDays }: LabeledWindow, { labels, standard }: HeadRows, chances: Float64Array) {
  const from = [...firstDays].sort((one, other) => one - other)[Math.floor((2 * firstDays.length) / 3)]!;
  const places = Array.from(firstDays.keys()).filter((row) => firstDays[row]! >= from);
  const own = (values: ArrayLike<number>) => places.map((row) => values[row]!);
  return {
    rows: places.length,
    figures: {
      log_loss: logLoss(own(chances), own(labels)),
      standard_log_loss: logLoss(own(standard), own(labels)),
    },
  };
}

function standardGates({ metrics }: HeadFigures, { figures }: ReturnType<typeof newestThird>): Gate[] {
  const lost = -(metrics['auc_gain_over_standard']?.value ?? Number.NaN);
  return [
    gate('auc_below_standard', lost, 'at most', AUC_LOSS_MAX),
    gate('newest_third_log_loss_above_standard', figures.log_loss - figures.standard_log_loss, 'at most', 0),
  ];
}

const sizeGates = (rows: HeadRows, prefix: string): Gate[] => [
  gate(`${prefix}entities`, countsOf(rows).entities, 'at least', SAMPLES_MIN),
  ...labelGates(rows, prefix),
];

function hashOfWindows(windows: readonly LabeledWindow[]): string {
  const hash = createHash('sha256');
  for (const { cutoffDay, labelEndDay, values, labels } of windows)
    hash.update(`${cutoffDay} ${labelEndDay} ${labels.length} `).update(values).update(labels);
  return hash.digest('hex');
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
