import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyRequest, bitsOf } from './score-blocks.fixture.ts';
import {
  answerBytesMax,
  ROWS_MAX,
  readAnswer,
  readRequest,
  requestBytesMax,
  writeAnswer,
  writeRequest,
} from './score-message.ts';
import { scoreMembers } from './score-port.ts';
import type { ScoreRequest } from './score-request.ts';
import { CUTOFF } from './statistics-block.fixture.ts';
import { emptyBlock, NO_FIGURES } from './statistics-block.ts';

const requestOf = (size: number): ScoreRequest => ({
  members: emptyBlock(size),
  cutoff: CUTOFF,
  options: { version: 'std-2', pool: { adds: 1, removes: 0 }, figures: NO_FIGURES },
});

test('a request arrives as it was sent, bit for bit, wherever in memory it is read', () => {
  fc.assert(
    fc.property(anyRequest, fc.nat(7), (request, offset) => {
      const bytes = writeRequest(request);
      const moved = Buffer.alloc(bytes.length + offset).subarray(offset);
      moved.set(bytes);
      const read = readRequest(request.options.version, moved);
      expect(read).toEqual(request);
      expect(bitsOf(read!.members)).toEqual(bitsOf(request.members));
    }),
  );
});

test('an answer arrives as it was sent, bit for bit', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const answer = scoreMembers(request);
      const read = readAnswer(writeAnswer(answer), request.members.size)!;
      expect(bitsOf(read.scores)).toEqual(bitsOf(answer.scores));
      expect(read.failed).toEqual(answer.failed);
    }),
  );
});

test('bytes that are cut, longer, or of another layout are no message, and nothing is thrown', () => {
  const answer = writeAnswer(scoreMembers(requestOf(3)));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(400), (bytes, length) => {
      expect(readRequest('std-2', bytes)).toBeNull();
      expect(readAnswer(bytes, 3)).toBeNull();
      const whole = writeRequest(requestOf(3));
      if (length !== whole.length) expect(readRequest('std-2', resized(whole, length))).toBeNull();
      if (length !== answer.length) expect(readAnswer(resized(answer, length), 3)).toBeNull();
    }),
  );
  expect(readRequest('std-2', answer)).toBeNull();
  expect(readAnswer(writeRequest(requestOf(3)), 3)).toBeNull();
  expect(readAnswer(answer, 4)).toBeNull();
});

const resized = (bytes: Uint8Array, length: number): Uint8Array => {
  const other = new Uint8Array(length);
  other.set(bytes.subarray(0, length));
  return other;
};

test.each<[string, number, number]>([
  ['cutoff that is no time', 8, Number.NaN],
  ['day that is no whole number', 16, 0.5],
  ['pool with fewer than no adds', 24, -1],
  ['pool with endless removals', 32, Number.POSITIVE_INFINITY],
  ['horizon of no days', 40, 0],
  ['horizon before the cutoff', 48, -30],
  ['rhythm without a variance', 56, 3],
  ['more buyers than browsers', 88, 7],
  ['weight of nothing', 96, 0],
  ['more buyers than best buyers', 112, 7],
])('a request with a %s is not read', (_, at, value) => {
  const bytes = writeRequest(requestOf(2));
  new DataView(bytes.buffer).setFloat64(at, value, true);
  expect(readRequest('std-2', bytes)).toBeNull();
});

test('a request has 10,000 members at most, in little more than a MiB', () => {
  const largest = writeRequest(requestOf(ROWS_MAX));
  expect(readRequest('std-2', largest)?.members.size).toBe(10_000);
  expect(largest.length).toBe(requestBytesMax);
  expect(Math.max(requestBytesMax, answerBytesMax)).toBeLessThan(1_100_000);
  expect(() => writeRequest(requestOf(ROWS_MAX + 1))).toThrow(RangeError);
});

test('a request that claims more members than one may have is not read, whatever its length', () => {
  const size = ROWS_MAX + 1;
  const rows = (requestBytesMax - 128) / ROWS_MAX;
  const bytes = resized(writeRequest(requestOf(1)), 128 + size * rows);
  new DataView(bytes.buffer).setUint32(4, size, true);
  expect(readRequest('std-2', bytes)).toBeNull();
});
