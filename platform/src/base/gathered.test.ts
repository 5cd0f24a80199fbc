import { expect, test } from '@jest/globals';
import { AppError, conflict, invalid } from './errors.ts';
import { FAULTS_MAX, gathered, gatheredWith } from './gathered.ts';

function refused(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

const fieldsOf = ({ details }: AppError) => details.errors?.map(({ field }) => field);

test('valid input is read as it is', () => {
  expect(gathered((check) => ({ name: check(() => 'Ada'), age: check(() => 36) }))).toEqual({
    name: 'Ada',
    age: 36,
  });
});

test('every wrong field is named, and the error is the first of them', () => {
  const error = refused(() =>
    gathered((check) => ({
      name: check(() => {
        throw invalid('input.name', 'must not be empty');
      }),
      size: check(() => 5),
      unit: check(() => {
        throw invalid('input.unit', 'is not known', 'UNKNOWN_FIELD');
      }),
    })),
  );
  expect(error).toMatchObject({ message: 'input.name must not be empty.', code: 'VALIDATION_FAILED' });
  expect(error.details).toEqual({
    field: 'input.name',
    errors: [
      { field: 'input.name', code: 'VALIDATION_FAILED', message: 'input.name must not be empty.' },
      { field: 'input.unit', code: 'UNKNOWN_FIELD', message: 'input.unit is not known.' },
    ],
  });
});

test('a single wrong field is the error that it was', () => {
  const fault = invalid('input.name', 'must not be empty');
  const run = () =>
    gathered((check) =>
      check(() => {
        throw fault;
      }),
    );
  expect(refused(run)).toBe(fault);
});

test('what is thrown beside the checks, and what parts gathered themselves, is listed as well', () => {
  const wrong = (field: string) => () => {
    throw invalid(field, 'is wrong');
  };
  const part = () => gathered((check) => [check(wrong('b')), check(wrong('c'))]);
  const error = refused(() =>
    gathered((check) => {
      check(wrong('a'));
      check(part);
      check(wrong('a'));
      throw invalid('d', 'is wrong');
    }),
  );
  expect(fieldsOf(error)).toEqual(['a', 'b', 'c', 'd']);
});

test('an error that names no field ends the checks; what was refused before it goes first', () => {
  const taken = conflict('TIER_EXISTS', 'Taken.', { field: 'input.name' });
  const end = () => {
    throw taken;
  };
  expect(refused(() => gathered((check) => check(end)))).toBe(taken);
  const error = refused(() =>
    gathered((check) => {
      const text = check((): string => {
        throw invalid('a', 'is wrong');
      });
      return text.length;
    }),
  );
  expect(error.message).toBe('a is wrong.');
});

test(`at most ${FAULTS_MAX} fields are listed, and the rest is not looked at`, () => {
  let looked = 0;
  const error = refused(() =>
    gathered((check) => {
      for (let place = 0; place < 1_000; place += 1)
        check(() => {
          looked += 1;
          throw invalid(`rows[${place}]`, 'is wrong');
        });
    }),
  );
  expect(fieldsOf(error)).toHaveLength(FAULTS_MAX);
  expect(looked).toBe(FAULTS_MAX);
});

test('what is only checked later is looked at where something was refused, and only then', async () => {
  let looked = 0;
  const later = async () => {
    looked += 1;
    throw invalid('later', 'is wrong');
  };
  expect(await gatheredWith(() => 5, later)).toBe(5);
  expect(looked).toBe(0);
  const first = invalid('first', 'is wrong');
  const refuse = () => {
    throw first;
  };
  const error = await gatheredWith(refuse, later).catch((fault: AppError) => fault);
  expect(fieldsOf(error as AppError)).toEqual(['first', 'later']);
  await expect(gatheredWith(refuse, async () => Promise.reject(new Error('away')))).rejects.toBe(first);
});
