import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type Mode, systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import type { RestReply } from '../../harness/client.ts';
import type { Stack } from '../../harness/stack.ts';
import { shapes } from '../shapes.ts';

/** Every field of a job in the documented answer. */
export const jobShape = {
  id: shapes.uuid,
  name: 'nightly',
  status: expect.stringMatching(/^(queued|running|paused|completed|completed_with_errors|cancelled)$/),
  processed: expect.any(Number),
  succeeded: expect.any(Number),
  unavailable: expect.any(Number),
  failed: expect.any(Number),
  attempts: expect.any(Number),
  pause_reason: null,
  source_cutoff: shapes.instant,
  created_at: shapes.instant,
  started_at: null,
  finished_at: null,
  details_expire_at: null,
};

/** A client of the bulk job API with the calls that tests need. */
export function bulkClient({ rest }: Pick<Stack, 'rest'>, as: string) {
  const get = (query = ''): Promise<RestReply> => rest('GET', `/api/v1/bulk-jobs${query}`, { as });
  const post = (body: unknown): Promise<RestReply> => rest('POST', '/api/v1/bulk-jobs', { as, body });
  const states = (query = ''): Promise<RestReply> => rest('GET', `/api/v1/member-states${query}`, { as });
  return {
    get,
    post,
    states,
    create: (idempotency_key: string, name = 'nightly') => post({ action: 'create', name, idempotency_key }),
    /** Polls a job until it has ended; returns it with the status and progress of every poll. */
    async ended(id: string) {
      const polled: { status: string; processed: number }[] = [];
      for (;;) {
        const { body } = await get(`?id=${id}`);
        polled.push(body.job);
        if (body.job.finished_at) return { job: body.job, polled };
        await delay(250);
      }
    },
  };
}

/** Reads all pages of a list, following `nextCursor` with the filters unchanged. */
export async function allPages<Row>(
  read: (query: string) => Promise<RestReply>,
  query: string,
  field: string,
): Promise<{ rows: Row[]; sizes: number[] }> {
  const pages: Row[][] = [];
  let after = '';
  do {
    const { status, body } = await read(`?${query}${after}`);
    expect([status, Object.keys(body)]).toEqual([200, [field, 'nextCursor']]);
    pages.push(body[field]);
    after = body.nextCursor === null ? '' : `&after=${encodeURIComponent(body.nextCursor)}`;
  } while (after);
  return { rows: pages.flat(), sizes: pages.map(({ length }) => length) };
}

/** A context of the product itself in a workspace. */
export const systemContext = ({ services }: Stack, workspaceId: string, mode: Mode = 'LIVE'): Context =>
  createContext(services, { caller: systemCaller('operator', { workspaceId, mode }), requestId: 'test' });
