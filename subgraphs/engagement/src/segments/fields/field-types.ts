import { dayOfYearOperators } from './day-of-year.ts';
import {
  flagOperators,
  keywordOperators,
  momentOperators,
  numberOperators,
  type Operators,
  setOperators,
  textOperators,
} from './operators.ts';

export type FieldType = 'TEXT' | 'KEYWORD' | 'NUMBER' | 'FLAG' | 'SET' | 'MOMENT' | 'DAY_OF_YEAR';

/** What conditions may ask of a field. */
export const operatorsOf: Readonly<Record<FieldType, Operators>> = {
  TEXT: textOperators,
  KEYWORD: keywordOperators,
  NUMBER: numberOperators,
  FLAG: flagOperators,
  SET: setOperators,
  MOMENT: momentOperators,
  DAY_OF_YEAR: dayOfYearOperators,
};
