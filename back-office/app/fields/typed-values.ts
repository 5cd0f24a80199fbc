import type { useText } from '../messages/text.ts';

/** The value of an input for a number. '' if it is empty. */
export type TypedNumber = number | string;

/** Returns the typed number. Null if the input is empty or holds no number; never 0. */
export function optionalNumber(typed: TypedNumber): number | null {
  const text = String(typed).trim();
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? null : number;
}

/** Returns the number of an input that a rule below has validated. */
export function requiredNumber(typed: TypedNumber): number {
  const number = optionalNumber(typed);
  if (number === null) throw new TypeError('A form was sent although a number is missing.');
  return number;
}

/** Validation rules for inputs that need a number. Each returns the sentence for the input, or null. */
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

/** Validation rule for required texts: returns an error if the text is empty or blank. */
export const requiredText =
  (t: ReturnType<typeof useText>) =>
  (typed: string | null | undefined): string | null =>
    typed?.trim() ? null : t('form.required');

/**
 * Returns the values of a form that differ from its initial values. Only they are sent, so that two people
 * who edit at the same time keep each other's changes.
 */
export const changedValues = <Values extends object>(values: Values, before: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== before[name as keyof Values]),
  ) as Partial<Values>;
