import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { relative } from 'node:path';
import { afterAll } from '@jest/globals';
import { keepStatement } from './recorded-statements.ts';

/** Runs before each test file: what the product sends to the database is kept for the end of the run. */
const folder = process.env.LOYALTY_TEST_STATEMENTS;
const seen = new Map<string, string>();

const record = (text: unknown): void => {
  if (!seen.has(text as string)) seen.set(text as string, senderOf(new Error('who sends it').stack ?? ''));
};

subscribe('loyalty:statement', record);

afterAll(() => {
  unsubscribe('loyalty:statement', record);
  if (folder === undefined) return;
  for (const [text, sentBy] of seen) if (!isTest(sentBy)) keepStatement(folder, { text, sentBy });
});

/** The first place outside the database client. */
function senderOf(stack: string): string {
  const places = stack.split('\n').flatMap((line) => /(?:\(|at )(\/[^()]+:\d+):\d+\)?$/.exec(line)?.[1] ?? []);
  const sender = places.find((place) => !/\/test\/src\/tenancy\/|\/prisma\/src\/\w+\.ts/.test(place));
  return sender === undefined ? 'prisma' : relative(process.cwd(), sender);
}

const isTest = (place: string): boolean => /\.(?:test|given)\.ts:|^test\//.test(place);
