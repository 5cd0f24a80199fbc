import { layoutOf, messageBytes, readMessage, writeMessage } from './column-block.ts';
import { emptyScores, type ScoreBlock } from './score-block.ts';
import type { ScoreAnswer, ScoreRequest } from './score-request.ts';
import { STANDARD_VERSIONS, type StandardVersion, standardModels } from './standard-versions.ts';
import {
  type BuyingShare,
  emptyBlock,
  type StatisticsBlock,
  type WorkspaceFigures,
} from './statistics-block.ts';

/** The most rows of one request. */
export const ROWS_MAX = 10_000;

/** The path at which a scorer accepts requests. */
export const SCORE_PATH = '/score';

/** The content type of requests and answers. */
export const MESSAGE_TYPE = 'application/octet-stream';

/** The header with the model: the expected one in a request, the one that scored in an answer. */
export const MODEL_HEADER = 'x-loyalty-model';

/** Returns name, version and parameters of a model of this process. */
export function modelId(version: StandardVersion): string {
  const { name, parametersSha256 } = standardModels[version];
  return `${name} ${version} ${parametersSha256}`;
}

/** Returns the version that a header names; null for a model that this process does not have. */
export const versionOfId = (id: unknown): StandardVersion | null =>
  STANDARD_VERSIONS.find((version) => modelId(version) === id) ?? null;

const { size: _members, ...memberColumns } = emptyBlock(0);
const { size: _scores, ...scoreColumns } = emptyScores(0);
const requestLayout = layoutOf(memberColumns);
const answerLayout = layoutOf({ ...scoreColumns, failed: new Uint8Array(0) });

/**
 * The numbers of a request: cutoff, its day, additions and removals of the pool, both horizons (NaN for the
 * default), and the figures of the workspace (NaN for null).
 */
const REQUEST_NUMBERS = 15;

export const requestBytesMax = messageBytes(requestLayout, ROWS_MAX, REQUEST_NUMBERS);
export const answerBytesMax = messageBytes(answerLayout, ROWS_MAX, 0);

/** @throws RangeError for more members than one request may have */
export function writeRequest({ members, cutoff, options }: ScoreRequest): Uint8Array {
  if (members.size > ROWS_MAX) throw new RangeError(`${members.size} members are more than ${ROWS_MAX}.`);
  const { pool, purchaseDays = Number.NaN, gapDays = Number.NaN } = options;
  const asked = [cutoff.ms, cutoff.day, pool.adds, pool.removes, purchaseDays, gapDays];
  const numbers = [...asked, ...figureNumbers(options.figures)];
  return writeMessage(requestLayout, { size: members.size, numbers, columns: members });
}

/** Reads a request; null if the bytes are none. */
export function readRequest(version: StandardVersion, bytes: Uint8Array): ScoreRequest | null {
  const message = readMessage(requestLayout, bytes, REQUEST_NUMBERS);
  if (!message || message.size > ROWS_MAX) return null;
  const [ms, day, adds, removes, purchaseDays, gapDays, ...rest] = message.numbers as Numbers;
  const figures = readFigures(rest);
  const isSound =
    Number.isFinite(ms) &&
    Number.isInteger(day) &&
    isCount(adds) &&
    isCount(removes) &&
    isHorizon(purchaseDays) &&
    isHorizon(gapDays);
  if (!isSound || !figures) return null;
  return {
    members: { size: message.size, ...message.columns } as StatisticsBlock,
    cutoff: { ms, day },
    options: {
      ...{ version, figures },
      pool: { adds, removes },
      ...(!Number.isNaN(purchaseDays) && { purchaseDays }),
      ...(!Number.isNaN(gapDays) && { gapDays }),
    },
  };
}

type Numbers = [number, number, number, number, number, number, ...number[]];
const isCount = (value: number): boolean => value >= 0 && Number.isFinite(value);
const isHorizon = (days: number): boolean => Number.isNaN(days) || (days > 0 && Number.isFinite(days));

const figureNumbers = ({ intervals, browsers, bestBuyers, hasLowSkill }: WorkspaceFigures): number[] => [
  intervals?.mean ?? Number.NaN,
  intervals?.varianceWithin ?? Number.NaN,
  intervals?.varianceBetween ?? Number.NaN,
  browsers.members,
  browsers.bought,
  browsers.meanWeight ?? Number.NaN,
  bestBuyers.members,
  bestBuyers.bought,
  Number(hasLowSkill),
];

/** Reads the figures; null for numbers that are impossible for a workspace. */
function readFigures(numbers: readonly number[]): WorkspaceFigures | null {
  const [mean, varianceWithin, varianceBetween, ...counts] = numbers as [number, number, number, ...number[]];
  const [browsers, browsersBought, meanWeight, best, bestBought, lowSkill] = counts as Counts;
  const hasIntervals = !Number.isNaN(mean);
  const isSound =
    (!hasIntervals || (Number.isFinite(mean) && isPositive(varianceWithin) && isPositive(varianceBetween))) &&
    isShare({ members: browsers, bought: browsersBought }) &&
    (Number.isNaN(meanWeight) || isPositive(meanWeight)) &&
    isShare({ members: best, bought: bestBought });
  if (!isSound) return null;
  return {
    intervals: hasIntervals ? { mean, varianceWithin, varianceBetween } : null,
    browsers: {
      members: browsers,
      bought: browsersBought,
      meanWeight: Number.isNaN(meanWeight) ? null : meanWeight,
    },
    bestBuyers: { members: best, bought: bestBought },
    hasLowSkill: lowSkill === 1,
  };
}

type Counts = [number, number, number, number, number, number];
const isPositive = (value: number): boolean => value > 0 && Number.isFinite(value);
const isShare = ({ members, bought }: BuyingShare): boolean =>
  isCount(members) && isCount(bought) && bought <= members;

export const writeAnswer = ({ scores, failed }: ScoreAnswer): Uint8Array =>
  writeMessage(answerLayout, { size: scores.size, numbers: [], columns: { ...scores, failed } });

/** Reads an answer; null if the bytes are no answer to a request of this many rows. */
export function readAnswer(bytes: Uint8Array, size: number): ScoreAnswer | null {
  const message = readMessage(answerLayout, bytes, 0);
  if (message?.size !== size) return null;
  const { failed, ...columns } = message.columns;
  return { scores: { size, ...columns } as ScoreBlock, failed: failed as Uint8Array };
}
