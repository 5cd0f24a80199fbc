import type { Stack } from './stack.ts';

/**
 * The lowest number of SQL statements of four runs of a request. Runs differ: a caller is cached for a second
 * and then read again, and the call log and the queue write at times of their own.
 */
export async function fewestStatements<Answer>(
  { services }: Stack,
  run: () => Promise<Answer>,
): Promise<{ statements: number; answer: Answer }> {
  const sent = (): number =>
    services.statements.splice(0).filter((text) => !/call_log|pgboss/.test(text)).length;
  let fewest = Number.POSITIVE_INFINITY;
  let answer = await run();
  for (let each = 0; each < 4; each += 1) {
    sent();
    answer = await run();
    fewest = Math.min(fewest, sent());
  }
  return { statements: fewest, answer };
}
