import { invalid } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';
import { aNumber, aString } from '@loyalty/platform/base/input-rules';
import type { OperandType } from './operators.ts';

const TEXT_LENGTH_MAX = 2_000;
const TEXTS_MAX = 500;
const DAYS_MAX = 3_650;
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Checks the value of a condition.
 *
 * @param options - the allowed values; null for any value
 * @throws AppError VALIDATION_FAILED (400) naming the path
 */
export function checkOperand(
  path: string,
  takes: OperandType,
  value: unknown,
  options: readonly string[] | null,
): void {
  checks[takes](path, value, options);
}

/** @throws AppError VALIDATION_FAILED (400) */
export function checkWhole(path: string, value: unknown, { min, max }: { min: number; max: number }): void {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
    throw invalid(path, `must be a whole number between ${min} and ${max}`);
}

function checkNothing(path: string, value: unknown): void {
  if (value !== undefined) throw invalid(path, 'must be left out with this operator');
}

function checkName(path: string, value: unknown, options: readonly string[] | null): void {
  if (typeof value !== 'string') throw invalid(path, aString);
  if (options && !options.includes(value)) throw invalid(path, `must be ${listed(options)}`);
  checkText(path, value, TEXT_LENGTH_MAX);
}

const listed = (options: readonly string[]): string =>
  options.length === 0
    ? 'an existing one, and there is none'
    : `one of ${options.slice(0, 20).join(', ')}${options.length > 20 ? ' …' : ''}`;

function checkNames(path: string, value: unknown, options: readonly string[] | null): void {
  if (!Array.isArray(value) || value.length === 0 || value.length > TEXTS_MAX)
    throw invalid(path, `must be a list of 1 to ${TEXTS_MAX} strings`);
  for (const [place, each] of value.entries()) checkName(`${path}[${place}]`, each, options);
}

function checkNumber(path: string, value: unknown): void {
  if (typeof value !== 'number' || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw invalid(path, aNumber);
}

function checkRange(path: string, value: unknown): void {
  if (!Array.isArray(value) || value.length !== 2) throw invalid(path, 'must be a list of two numbers');
  for (const [place, each] of value.entries()) checkNumber(`${path}[${place}]`, each);
  if (value[0] > value[1]) throw invalid(path, 'must begin with the lower number');
}

function checkMoment(path: string, value: unknown): void {
  const isMoment = typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));
  if (!isMoment) throw invalid(path, 'must be a date or an instant such as 2026-03-01T10:00:00Z');
}

type Check = (path: string, value: unknown, options: readonly string[] | null) => void;

const checks: Readonly<Record<OperandType, Check>> = {
  NONE: checkNothing,
  TEXT: checkName,
  TEXTS: checkNames,
  NUMBER: checkNumber,
  NUMBER_RANGE: checkRange,
  MOMENT: checkMoment,
  DAYS: (path, value) => checkWhole(path, value, { min: 0, max: DAYS_MAX }),
  MONTH: (path, value) => checkWhole(path, value, { min: 1, max: 12 }),
};
