import { relative, sep } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** The files and folders that take longest, in that order. */
const LONGEST = [
  'test/src/browser/back-office/every-screen.browser.test.ts',
  'test/src/browser/back-office/member-page.browser.test.ts',
  'test/src/browser/pages.browser.test.ts',
  'test/src/browser/back-office/',
  'test/src/processes/',
  'test/src/faults/bulk-refresh',
  'test/src/faults/journey.test.ts',
  'subgraphs/model/src/credits/reservation',
  'subgraphs/engagement/src/sending/',
  'test/src/clients/readme',
  'test/src/faults/',
  'subgraphs/engagement/src/templates/',
  'subgraphs/loyalty/src/points/',
  'test/src/openapi/',
  'prisma/src/migrate/',
  'gateway/src/oracle/faults/',
  'test/src/isolation',
  'worker/src/lost-jobs.test.ts',
  'prisma/src/embedded/',
  'test/src/agents/',
  'subgraphs/model/src/lab/model-evaluate',
  'worker/src/long-jobs.test.ts',
  'test/src/',
];

/**
 * Starts the longest files first, so that no worker is left alone with one of them at the end. Jest itself
 * does so only where it remembers an earlier run; in a fresh clone it goes by the sizes of files.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const rankOf = ({ path, context }) => {
      const place = relative(context.config.rootDir, path).split(sep).join('/');
      const rank = LONGEST.findIndex((start) => place.startsWith(start));
      return rank < 0 ? LONGEST.length : rank;
    };
    return super.sort([...tests]).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
