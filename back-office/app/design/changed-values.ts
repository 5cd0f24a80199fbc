/**
 * The values of a form that differ from those that it began with. Only they are sent, so that two people who
 * edit at once keep each other's changes.
 */
export const changedValues = <Values extends object>(values: Values, before: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== before[name as keyof Values]),
  ) as Partial<Values>;
