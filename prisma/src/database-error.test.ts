import { describe, expect, test } from '@jest/globals';
import { databaseFault } from './database-error.ts';

const coded = (code: string) => Object.assign(new Error('nothing to read'), { code });

const codes = {
  AWAY: [
    ...['57P01', '57P02', '57P03', '57P05', '08000', '08001', '08003', '08004', '08006', '25006'],
    ...['53000', '53100', '53200'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
    ...['P1001', 'P1002', 'P1008', 'P1017', 'DatabaseNotReachable'],
  ],
  LOCKED: ['55P03', '40001', '40P01', 'P2034'],
  OVERLOADED: ['53300', '25P03', '25P04', 'P2024', 'P2028', 'P2037', 'TooManyConnections'],
  TOO_SLOW: ['57014'],
};

describe('what an error says of the database', () => {
  test.each(Object.entries(codes).flatMap(([fault, those]) => those.map((code) => [fault, code] as const)))(
    '%s is known by the code %s, also below other errors',
    (fault, code) => {
      const inside = {
        meta: { driverAdapterError: { name: 'DriverAdapterError', cause: { originalCode: code } } },
      };
      expect(databaseFault(coded(code))).toBe(fault);
      expect(databaseFault(new Error('wrapped', { cause: coded(code) }))).toBe(fault);
      expect(databaseFault(new AggregateError([coded(code)], 'all failed'))).toBe(fault);
      expect(databaseFault(Object.assign(coded('P2039'), inside))).toBe(fault);
    },
  );

  test.each([
    ['OVERLOADED', 'timeout exceeded when trying to connect'],
    ['AWAY', 'Connection terminated unexpectedly'],
    ['AWAY', 'Connection terminated due to connection timeout'],
    ['AWAY', 'Client has encountered a connection error and is not queryable'],
    ['AWAY', 'Client was closed and is not queryable'],
  ])('%s is known by the words of the driver: %s', (fault, message) => {
    expect(databaseFault(new Error(message))).toBe(fault);
  });

  test.each(['23505', '42P01', '08P01', '22P02', 'P2002', 'P2025', 'ENOENT'])(
    'nothing is known by the code %s',
    (code) => {
      expect(databaseFault(coded(code))).toBeNull();
    },
  );

  test('nothing is known by what is no error', () => {
    for (const other of [null, undefined, 'Connection terminated', 57, {}]) {
      expect(databaseFault(other)).toBeNull();
    }
  });
});
