import { expect, test } from '@jest/globals';
import { CombinedError } from 'urql';
import { failureOf, formErrors } from './failures.ts';

const refused = (extensions: Record<string, unknown>) =>
  failureOf(new CombinedError({ graphQLErrors: [{ message: 'No.', extensions }] }));
const fault = (field: string) => ({ field, code: 'VALIDATION_FAILED', message: `${field} is wrong.` });
const extensions = { code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED', field: 'input.name' };

test('each wrong field has its sentence at its input', () => {
  const failure = refused({ ...extensions, errors: [fault('input.name'), fault('input.hours[1].opensAt')] });
  expect(failure.message).toBe('input.name is wrong.');
  expect(formErrors(failure, { name: '', hours: [], rank: 1 })).toEqual({
    errors: { name: 'input.name is wrong.', hours: 'input.hours[1].opensAt is wrong.' },
    isComplete: true,
  });
});

test('a wrong field that the form has not is shown beside the form', () => {
  const failure = refused({ ...extensions, errors: [fault('input.name'), fault('memberId')] });
  expect(formErrors(failure, { name: '' })).toEqual({
    errors: { name: 'input.name is wrong.' },
    isComplete: false,
  });
  expect(formErrors(refused({ code: 'FORBIDDEN' }), { name: '' })).toEqual({ errors: {}, isComplete: false });
});
