import { relative, sep } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** The files and folders that take longest, in that order. */
const LONGEST = [
  'gateway/src/oracle/oracle.test.ts',
  'test/src/isolation/',
  'test/src/processes/',
  'test/src/faults/killed-subgraph.test.ts',
  'gateway/src/oracle/faults/',
  'test/src/edge/',
  'test/src/fuzz/',
  'test/src/faults/',
  'subgraphs/model/src/credits/',
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
