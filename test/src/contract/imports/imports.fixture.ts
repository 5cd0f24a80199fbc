import { expect } from '@jest/globals';
import type { RestReply } from '../../harness/client.ts';
import { eventually } from '../../harness/eventually.ts';
import type { Stack } from '../../harness/stack.ts';

export const CSV = { 'content-type': 'text/csv' };
export const NDJSON = { 'content-type': 'application/x-ndjson' };

/** Sends a file, waits until its import has ended, and returns the import as REST prints it. */
export const importer =
  (stack: Stack, caller: string) =>
  async (kind: string, body: unknown, options: { as?: string; query?: string } = {}) => {
    const as = options.as ?? caller;
    const headers = typeof body === 'string' ? { headers: CSV } : {};
    const path = `/api/v2/${kind}/import`;
    const sent = await stack.rest('POST', `${path}${options.query ?? ''}`, { as, body, ...headers });
    expect(sent).toMatchObject({ status: 202, body: { data: { id: expect.any(String), status: 'queued' } } });
    let reply: RestReply | undefined;
    await eventually(async () => {
      reply = await stack.rest('GET', `${path}/${sent.body.data.id}`, { as });
      expect(reply.body.data?.finished_at).toEqual(expect.any(String));
    });
    return reply!.body.data;
  };
