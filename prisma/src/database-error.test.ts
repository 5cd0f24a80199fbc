import { describe, expect, test } from '@jest/globals';
import { isDatabaseUnavailable } from './database-error.ts';

const coded = (code: string) => Object.assign(new Error('nothing to read'), { code });

describe('a database that is away or busy', () => {
  test.each([
    ...['57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006', '53300', '53200', '55P03'],
    ...['57014', '40001', '40P01', '25006'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
    ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034'],
  ])('is known by the code %s, also below other errors', (code) => {
    const inside = {
      meta: { driverAdapterError: { name: 'DriverAdapterError', cause: { originalCode: code } } },
    };
    expect(isDatabaseUnavailable(coded(code))).toBe(true);
    expect(isDatabaseUnavailable(new Error('wrapped', { cause: coded(code) }))).toBe(true);
    expect(isDatabaseUnavailable(new AggregateError([coded(code)], 'all failed'))).toBe(true);
    expect(isDatabaseUnavailable(Object.assign(coded('P2039'), inside))).toBe(true);
  });

  test.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('is known by the words of the driver: %s', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  test.each(['23505', '42P01', '08P01', '22P02', 'P2002', 'P2025', 'ENOENT'])(
    'is not what the code %s says',
    (code) => {
      expect(isDatabaseUnavailable(coded(code))).toBe(false);
    },
  );

  test('is not what is no error', () => {
    for (const other of [null, undefined, 'Connection terminated', 57, {}]) {
      expect(isDatabaseUnavailable(other)).toBe(false);
    }
  });
});
