import { expect, test } from '@jest/globals';
import { CombinedError } from 'urql';
import { failureOf, formFaults } from './failures.ts';

const refused = (extensions: Record<string, unknown>, response?: Response) =>
  failureOf(new CombinedError({ graphQLErrors: [{ message: 'No.', extensions }], response }));
const fault = (field: string) => ({
  field,
  code: 'VALIDATION_FAILED',
  rule: 'AT_LEAST',
  values: { min: 1 },
});
const sent = (field: string) => ({ ...fault(field), message: `${field} must be at least 1.` });
const extensions = { code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED', field: 'input.name' };

test('each wrong field has its fault at its input', () => {
  const failure = refused({ ...extensions, errors: [sent('input.name'), sent('input.hours[1].opensAt')] });
  expect(formFaults(failure, { name: '', hours: [], rank: 1 })).toEqual({
    byName: { name: fault('input.name'), hours: fault('input.hours[1].opensAt') },
    isComplete: true,
  });
});

test('an input in a row has its own fault, what its row does not have belongs to the list', () => {
  const wrong = ['input.items[1].quantity', 'input.items[7].quantity'];
  const failure = refused({ ...extensions, errors: wrong.map(sent) });
  const items = [{ quantity: 1 }, { quantity: 0 }];
  expect(formFaults(failure, { name: '', items })).toEqual({
    byName: { 'items.1.quantity': fault(wrong[0]!), items: fault(wrong[1]!) },
    isComplete: true,
  });
});

test('a wrong field that the form has not is shown beside the form', () => {
  const failure = refused({ ...extensions, errors: [sent('input.name'), sent('memberId')] });
  expect(formFaults(failure, { name: '' })).toEqual({
    byName: { name: fault('input.name') },
    isComplete: false,
  });
  expect(formFaults(refused({ code: 'FORBIDDEN' }), { name: '' })).toEqual({ byName: {}, isComplete: false });
});

test('a failure keeps no sentence of the API, but what ours name and the id of the request', () => {
  const response = new Response(null, { headers: { 'x-request-id': 'r-1' } });
  const values = { role: 'OWNER' };
  const failure = refused({ code: 'FORBIDDEN', reason: 'ROLE_REQUIRED', values, line: 3 }, response);
  expect(failure).toEqual({
    reason: 'ROLE_REQUIRED',
    code: 'FORBIDDEN',
    values: { role: 'OWNER', line: 3 },
    faults: [],
    requestId: 'r-1',
    retryAfterSeconds: null,
  });
});

test('without an answer it is the connection', () => {
  const failure = failureOf(new CombinedError({ networkError: new Error('Failed to fetch') }));
  expect(failure).toMatchObject({ reason: 'NETWORK', code: 'NETWORK', faults: [] });
});
