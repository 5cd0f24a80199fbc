import { deepStrictEqual } from 'node:assert';
import { coldBody, pageBody } from './bench-requests.ts';
import type { Served } from './processes.ts';

const PAGES = 5;
const COLD_OPERATIONS = 64;

/**
 * Sends the same requests to every gateway.
 *
 * @param asksColdOnes - also send cold operations, which some gateways answer wrongly
 * @returns bytes of a small and of a large answer
 * @throws AssertionError where an answer is not that of the first gateway
 */
export async function compareAnswers(
  gateways: ReadonlyMap<string, Served>,
  asksColdOnes: (name: string) => boolean,
): Promise<Record<'small' | 'large', number>> {
  const pages = Array.from({ length: PAGES }, (_, at) => at * 997);
  const bodies = pages.flatMap((page) => [pageBody('small', page), pageBody('large', page)]);
  const cold = Array.from({ length: COLD_OPERATIONS }, (_, index) => coldBody(index));
  const expected = new Map<string, unknown>();
  for (const [name, { port }] of gateways) {
    for (const body of asksColdOnes(name) ? [...bodies, ...cold] : bodies) {
      const answer = JSON.parse(await post(port, body)) as { data: unknown; errors?: unknown };
      deepStrictEqual(answer.errors, undefined, `${name} answers with errors to ${body}`);
      if (!expected.has(body)) expected.set(body, answer.data);
      deepStrictEqual(answer.data, expected.get(body), `${name} answers otherwise to ${body}`);
    }
  }
  const bytes = (body: string): number => JSON.stringify({ data: expected.get(body) }).length;
  return { small: bytes(pageBody('small', 0)), large: bytes(pageBody('large', 0)) };
}

async function post(port: number, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body });
  return response.text();
}
