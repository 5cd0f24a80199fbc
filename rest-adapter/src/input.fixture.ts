import { AppError } from '@loyalty/platform/base/errors';
import { rowOf, schema } from './adapter.fixture.ts';
import { type Received, readVariables } from './input.ts';
import { readOperation } from './table/row-operation.ts';

export const id = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';
export const nothing: Received = { params: {}, query: {}, body: undefined };

/** Returns the variables that a row of the fixture reads from a request. */
export function variables(name: string, received: Partial<Received>): Record<string, unknown> {
  const row = rowOf(name);
  return readVariables(row, readOperation(row.document, schema), { ...nothing, ...received });
}

/** Returns category, code and sentence of the refusal. */
export function refusal(name: string, received: Partial<Received>): string {
  try {
    return `accepted ${JSON.stringify(variables(name, received))}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.category} ${error.code}: ${error.message}`;
  }
}

export const query = (given: Record<string, unknown>) => variables('ListMembers', { query: given });
export const badQuery = (given: Record<string, unknown>) => refusal('ListMembers', { query: given });
export const badBody = (more: Record<string, unknown>) =>
  refusal('CreateMember', { body: { email: 'a@b.c', fullName: 'Ada', ...more } });
export const badDevice = (more: Record<string, unknown>) =>
  refusal('AddDevice', {
    body: { endpoint: 'https://push.example', keys: { p256dh: 'p', auth: 'a' }, ...more },
  });
