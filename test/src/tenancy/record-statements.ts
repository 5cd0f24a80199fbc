import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { relative, sep } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { keepStatement } from './recorded-statements.ts';

/**
 * Runs before each test file. Records the statements that the product sends to the database, for the check at
 * the end of the run. Statements that tests send are not recorded, and the tests of the database client
 * record nothing.
 */
const { LOYALTY_TEST_STATEMENTS: folder } = process.env;
const isClientTest = placeOf(expect.getState().testPath ?? '').startsWith('prisma/');

if (folder !== undefined && !isClientTest) record(folder);

function record(folder: string): void {
  const senders = new Map<string, string>();
  const note = (message: unknown): void => {
    const text = message as string;
    if (!senders.has(text)) senders.set(text, senderOf(new Error('who sends it').stack ?? ''));
  };
  subscribe('loyalty:statement', note);
  afterAll(() => {
    unsubscribe('loyalty:statement', note);
    for (const [text, sentBy] of senders) if (!isTest(sentBy)) keepStatement(folder, { text, sentBy });
  });
}

/** The first line of the stack trace outside the database client. */
function senderOf(stack: string): string {
  const lines = stack.replaceAll(/\?run=\d+/g, '').split('\n');
  const places = lines.flatMap((line) => /(\/[^():]+:\d+):\d+\)?$/.exec(line)?.[1] ?? []);
  const sender = places.map(placeOf).find((place) => !isClient(place));
  return sender ?? 'Prisma';
}

function placeOf(path: string): string {
  return relative(process.cwd(), path).split(sep).join('/');
}

const isClient = (place: string): boolean => /^(?:prisma\/src|test\/src\/tenancy|node_modules)\//.test(place);

const isTest = (place: string): boolean => /\.(?:test|fixture)\.ts:|^test\//.test(place);
