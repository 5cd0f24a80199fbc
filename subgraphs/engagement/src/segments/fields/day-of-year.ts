import { fixed, type Operand, type Operators } from './operators.ts';

/** The day that clocks show where the member is. */
const today = ({ timeZone }: Operand, now: string): string => `(${now} AT TIME ZONE ${timeZone})::date`;

/**
 * The day in a year on which a month and a day fall; where the year has no 29 February, that is the 28th.
 *
 * @param monthDay - month times 100 plus day
 */
const dayIn = (year: string, monthDay: string): string => {
  const first = `make_date(${year}, ${monthDay} / 100, 1)`;
  const last = `(${first} + interval '1 month' - interval '1 day')::date`;
  return `least(${first} + (${monthDay} % 100 - 1), ${last})`;
};

/** The first such day that is not over. */
function nextDay(operand: Operand, now: string): string {
  const year = `extract(year FROM ${today(operand, now)})::int`;
  const thisYear = dayIn(year, operand.column);
  return `CASE WHEN ${thisYear} >= ${today(operand, now)} THEN ${thisYear}
               ELSE ${dayIn(`${year} + 1`, operand.column)} END`;
}

/** The instant at which a day begins where the member is. */
const beginOf = (day: string, { timeZone }: Operand): string =>
  `((${day})::timestamp AT TIME ZONE ${timeZone})`;

/** A day that comes every year, such as a birthday, by the member's calendar. */
export const dayOfYearOperators: Operators = {
  is_today: {
    label: 'is today',
    takes: 'NONE',
    compile(operand, _value, _sql, now) {
      const next = nextDay(operand, now);
      return {
        where: `${next} = ${today(operand, now)}`,
        turns: [beginOf(next, operand), beginOf(`${next} + 1`, operand)],
      };
    },
  },
  within_next_days: {
    label: 'is today or within the next days',
    takes: 'DAYS',
    compile(operand, value, sql, now) {
      const next = nextDay(operand, now);
      const days = sql.add(value, 'int');
      return {
        where: `${next} <= ${today(operand, now)} + ${days}`,
        turns: [beginOf(`${next} - ${days}`, operand), beginOf(`${next} + 1`, operand)],
      };
    },
  },
  in_month: fixed(
    'is in the month',
    'MONTH',
    (column, value, sql) => `${column} / 100 = ${sql.add(value, 'int')}`,
  ),
  is_set: fixed('has a value', 'NONE', (column) => `${column} IS NOT NULL`),
  is_not_set: fixed('has no value', 'NONE', (column) => `${column} IS NULL`),
};
