import type { useText } from '../messages/text.ts';

/** What an input for a number holds: '' where it was emptied. */
export type TypedNumber = number | string;

/** The number that was typed; null where the input is empty or holds none, which is never 0. */
export function optionalNumber(typed: TypedNumber): number | null {
  const text = String(typed).trim();
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? null : number;
}

/** The number of an input that a rule below has checked. */
export function requiredNumber(typed: TypedNumber): number {
  const number = optionalNumber(typed);
  if (number === null) throw new TypeError('A form was sent although a number is missing.');
  return number;
}

/** Rules for inputs that need a number: each gives the sentence for the input, or null. */
export function numberRules(t: ReturnType<typeof useText>) {
  const required = (typed: TypedNumber) => (optionalNumber(typed) === null ? t('form.required') : null);
  return {
    required,
    positive: (typed: TypedNumber) =>
      required(typed) ?? (requiredNumber(typed) > 0 ? null : t('form.positive')),
    between: (min: number, max: number) => (typed: TypedNumber) => {
      const isWithin = (number: number) => number >= min && number <= max;
      return required(typed) ?? (isWithin(requiredNumber(typed)) ? null : t('form.between', { min, max }));
    },
    notZero: (typed: TypedNumber) => required(typed) ?? (requiredNumber(typed) ? null : t('form.notZero')),
  };
}

/** What is wrong with an input that must hold something, where nothing or only spaces are in it. */
export const requiredText =
  (t: ReturnType<typeof useText>) =>
  (typed: string | null | undefined): string | null =>
    typed?.trim() ? null : t('form.required');

/**
 * The values of a form that differ from those that it began with. Only they are sent, so that two people who
 * edit at once keep each other's changes.
 */
export const changedValues = <Values extends object>(values: Values, before: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== before[name as keyof Values]),
  ) as Partial<Values>;
