import { standardModel } from '../standard-model/score.ts';
import { emptyScores, type ScoreBlock } from '../standard-model/score-block.ts';
import { emptyBlock, type StatisticsBlock } from '../standard-model/statistics-block.ts';
import { layoutOf, messageBytes, readMessage, writeMessage } from './column-block.ts';
import type { ScoreAnswer, ScoreRequest } from './score-request.ts';

/** Rows of one request at most. */
export const ROWS_MAX = 10_000;

/** Where a scorer takes requests. */
export const SCORE_PATH = '/score';

/** Of requests and answers. */
export const MESSAGE_TYPE = 'application/octet-stream';

/** Header that names the model: a request the expected one, an answer the one that scored. */
export const MODEL_HEADER = 'x-loyalty-model';

/** Name, version and parameters of the model in this process. */
export const modelId = `${standardModel.name} ${standardModel.version} ${standardModel.parametersSha256}`;

const { size: _members, ...memberColumns } = emptyBlock(0);
const { size: _scores, ...scoreColumns } = emptyScores(0);
const requestLayout = layoutOf(memberColumns);
const answerLayout = layoutOf({ ...scoreColumns, failed: new Uint8Array(0) });

/** Of a request: cutoff, its day, adds and removes of the pool, and both horizons; NaN for the default. */
const REQUEST_NUMBERS = 6;

export const requestBytesMax = messageBytes(requestLayout, ROWS_MAX, REQUEST_NUMBERS);
export const answerBytesMax = messageBytes(answerLayout, ROWS_MAX, 0);

/** @throws RangeError for more members than one request may have */
export function writeRequest({ members, cutoff, options }: ScoreRequest): Uint8Array {
  if (members.size > ROWS_MAX) throw new RangeError(`${members.size} members are more than ${ROWS_MAX}.`);
  const { pool, purchaseDays = Number.NaN, gapDays = Number.NaN } = options;
  const numbers = [cutoff.ms, cutoff.day, pool.adds, pool.removes, purchaseDays, gapDays];
  return writeMessage(requestLayout, { size: members.size, numbers, columns: members });
}

/** Null for bytes that are no request. */
export function readRequest(bytes: Uint8Array): ScoreRequest | null {
  const message = readMessage(requestLayout, bytes, REQUEST_NUMBERS);
  if (!message || message.size > ROWS_MAX) return null;
  const [ms, day, adds, removes, purchaseDays, gapDays] = message.numbers as Six;
  const isSound =
    Number.isFinite(ms) &&
    Number.isInteger(day) &&
    isCount(adds) &&
    isCount(removes) &&
    isHorizon(purchaseDays) &&
    isHorizon(gapDays);
  if (!isSound) return null;
  return {
    members: { size: message.size, ...message.columns } as StatisticsBlock,
    cutoff: { ms, day },
    options: {
      pool: { adds, removes },
      ...(!Number.isNaN(purchaseDays) && { purchaseDays }),
      ...(!Number.isNaN(gapDays) && { gapDays }),
    },
  };
}

type Six = [number, number, number, number, number, number];
const isCount = (value: number): boolean => value >= 0 && Number.isFinite(value);
const isHorizon = (days: number): boolean => Number.isNaN(days) || (days > 0 && Number.isFinite(days));

export const writeAnswer = ({ scores, failed }: ScoreAnswer): Uint8Array =>
  writeMessage(answerLayout, { size: scores.size, numbers: [], columns: { ...scores, failed } });

/** Null for bytes that are no answer to a request of so many rows. */
export function readAnswer(bytes: Uint8Array, size: number): ScoreAnswer | null {
  const message = readMessage(answerLayout, bytes, 0);
  if (message?.size !== size) return null;
  const { failed, ...columns } = message.columns;
  return { scores: { size, ...columns } as ScoreBlock, failed: failed as Uint8Array };
}
