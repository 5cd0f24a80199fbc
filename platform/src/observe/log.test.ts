import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLog, type Log, type LoggedError } from './log.ts';

function capture(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { log: createLog({ level: 'info', name: 'gateway', destination }), lines };
}

const SECRET = 'ada@example.org';

test('a line names level, time, service and message, and says nothing below its level', () => {
  const { log, lines } = capture();
  log.debug('not written');
  log.info({ job: 'model.score', ms: 12 }, 'job done');
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/Z$/),
      service: 'gateway',
      pid: process.pid,
      job: 'model.score',
      ms: 12,
      msg: 'job done',
    },
  ]);
});

test.each([
  ...[
    'authorization',
    'Authorization',
    'x-api-key',
    'X-API-Key',
    'apiKey',
    'cookie',
    'set-cookie',
    'password',
  ],
  ...[
    'newPassword',
    'password_hash',
    'secret',
    'webhookSecret',
    'token',
    'accessToken',
    'refresh_token',
    'email',
  ],
  ...[
    'memberEmail',
    'name',
    'fullName',
    'fullname',
    'first_name',
    'phone',
    'phoneNumber',
    'key',
    'masterKeys',
    'address',
  ],
])('the field %s is masked at any depth, in lists and in child loggers', (field) => {
  const { log, lines } = capture();
  const data = { [field]: SECRET };
  log.info({ ...data, a: { ...data, b: [{ c: { d: data } }] } }, 'deep');
  log
    .child({ ...data, a: { b: data } })
    .child({ c: data })
    .warn({ d: data }, 'child');
  expect(lines).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test.each(['keyId', 'tokens', 'operationName', 'hostname', 'memberId', 'remoteAddress', 'emails', 'names'])(
  'the field %s is written',
  (field) => {
    const { log, lines } = capture();
    log.info({ [field]: 'value' });
    expect(lines[0]).toMatchObject({ [field]: 'value' });
  },
);

test('whatever is logged, a line is written and holds no masked field', () => {
  fc.assert(
    fc.property(
      fc.object({ maxDepth: 4, withBigInt: true, withDate: true, withTypedArray: true }),
      (fields) => {
        const { log, lines } = capture();
        log.info({ fields, member: { ...fields, email: SECRET } });
        expect(lines).toHaveLength(1);
        expect(JSON.stringify(lines)).not.toContain(SECRET);
      },
    ),
  );
});

test('a cycle, a class instance and bytes are written in short', () => {
  const { log, lines } = capture();
  const cycle: Record<string, unknown> = { id: '7' };
  cycle['self'] = cycle;
  class Member {
    id = '8';
    email = SECRET;
  }
  log.info({ cycle, member: new Member(), bytes: Buffer.alloc(3), at: new Date(0) });
  expect(lines[0]).toMatchObject({
    member: { id: '8', email: '[masked]' },
    bytes: '[3 bytes]',
    at: '1970-01-01T00:00:00.000Z',
  });
});

function logged(error: unknown, field = 'err'): LoggedError {
  const { log, lines } = capture();
  log.error({ [field]: error }, 'failed');
  expect(JSON.stringify(lines)).not.toContain(SECRET);
  return lines[0]![field] as LoggedError;
}

test('an error of PostgreSQL loses its detail, query and parameters', () => {
  const error = Object.assign(
    new Error('duplicate key value violates unique constraint "members_email_key"'),
    {
      name: 'DatabaseError',
      code: '23505',
      detail: `Key (email)=(${SECRET}) already exists.`,
      query: `insert into members values ('${SECRET}')`,
      parameters: [SECRET],
      where: SECRET,
    },
  );
  expect(logged(error)).toEqual({
    type: 'DatabaseError',
    code: '23505',
    message: error.message,
    stack: expect.stringMatching(/^\s+at /),
  });
  const invalid = Object.assign(new Error('invalid input syntax for type uuid: "Ada "Countess" Lovelace"'), {
    code: '22P02',
  });
  expect(logged(invalid).message).toBe('invalid input syntax for type uuid: "[masked]"');
});

test('an error of Prisma loses the call that it prints', () => {
  const call = `Invalid \`prisma.member.create()\` invocation:\n\n{ data: { name: "Ada ${SECRET}" } }`;
  const message = `\n${call}\n\nUnique constraint failed`;
  const known = Object.assign(new Error(message), { name: 'PrismaClientKnownRequestError', code: 'P2002' });
  expect(logged(known)).toMatchObject({ code: 'P2002', message: 'Unique constraint failed' });
  const validation = Object.assign(new Error(message), { name: 'PrismaClientValidationError' });
  expect(logged(validation).message).toBe('The arguments of a Prisma call are not valid.');
});

test('causes and collected errors are masked likewise, wherever the error stands', () => {
  const inner = Object.assign(new Error(`no route to ${SECRET}`), { detail: SECRET });
  const outer = new AggregateError([inner, SECRET], 'all failed', { cause: inner });
  for (const field of ['err', 'error', 'reason']) {
    expect(logged(outer, field)).toMatchObject({
      type: 'AggregateError',
      cause: { message: 'no route to [masked]' },
      errors: [{ message: 'no route to [masked]' }, { type: 'string', message: '[masked]' }],
    });
  }
});

test('API keys and credentials of URLs in a message are masked', () => {
  const error = new Error('bad lk_live_abcDEF0123 for postgres://loyalty:hunter2@db/loyalty');
  expect(logged(error).message).toBe('bad [masked] for postgres://[masked]@db/loyalty');
});

test('an error given alone is logged like one under err, and masked as the sentence too', () => {
  const { log, lines } = capture();
  const error = Object.assign(new Error(`no mailbox ${SECRET}`), { detail: SECRET });
  log.error(error);
  log.error({ err: error });
  log.error(error, 'mail %s failed', '7');
  log.info(`sent to ${SECRET}`);
  log.info('attempt %d of %d', 1, 2);
  expect(lines.map((line) => line['msg'])).toEqual([
    'no mailbox [masked]',
    'no mailbox [masked]',
    'mail 7 failed',
    'sent to [masked]',
    'attempt 1 of 2',
  ]);
  expect(lines[2]).toMatchObject({ err: { message: 'no mailbox [masked]' } });
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});
