import { expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { createStack, type Stack } from './harness/stack.ts';

/** Starts a stack with this NODE_ENV, which Apollo Server and the product read when they start. */
async function stackIn(mode: string): Promise<Stack> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = mode;
  try {
    return await createStack();
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
}

/** Runs every audit of the graphql-http package; returns the failed ones by severity. */
async function audit(url: string, headers: Readonly<Record<string, string>>) {
  const audits = serverAudits({
    url,
    fetchFn: (address: string, init: RequestInit = {}) =>
      fetch(address, { ...init, headers: { ...(init.headers as object), ...headers } }),
  });
  expect(audits.length).toBeGreaterThanOrEqual(61);
  const found: Record<'notice' | 'warn' | 'error', string[]> = { notice: [], warn: [], error: [] };
  for (const { id, name, fn } of audits) {
    const result = await fn();
    if (result.status !== 'ok') found[result.status].push(`${id} ${name}: ${result.reason}`);
  }
  return found;
}

test.each(['development', 'production'])(
  'GraphQL over HTTP follows its specification in %s',
  async (mode) => {
    const stack = await stackIn(mode);
    try {
      const { token } = await stack.signUp();
      const credential = { authorization: `Bearer ${token}` };
      const url = `${stack.url}/graphql`;
      const { notice, warn, error } = await audit(url, credential);
      expect({ warn, error }).toEqual({ warn: [], error: [] });
      // A GET that any page could send is refused; one with a header that only our script can set is not.
      expect(notice.filter((line) => !/\bGETs?\b/.test(line))).toEqual([]);
      const scripted = await audit(url, { ...credential, 'apollo-require-preflight': 'true' });
      expect(scripted).toEqual({ notice: [], warn: [], error: [] });
    } finally {
      await stack.close();
    }
  },
);
