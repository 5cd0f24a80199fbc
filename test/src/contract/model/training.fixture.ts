import { expect } from '@jest/globals';
import type { RestReply } from '../../harness/client.ts';
import type { Stack } from '../../harness/stack.ts';
import { shapes } from '../shapes.ts';

export type VersionsPath = 'training' | 'alignment';

const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);

/** Every field of a version in the list. */
export const versionShape = (path: VersionsPath) => ({
  id: shapes.uuid,
  name: expect.any(String),
  [path === 'training' ? 'task' : 'target']: expect.any(String),
  origin: expect.stringMatching(/^(test|live)$/),
  horizon: 30,
  status: expect.stringMatching(
    /^(uploaded|queued|running|cancelled|failed|evaluated|approved|rejected|published)$/,
  ),
  attempt: expect.any(Number),
  sample_count: expect.any(Number),
  created_at: shapes.instant,
  finished_at: null,
  failure: null,
  fingerprint: null,
  published_at: null,
  latest_report_id: null,
});

/** Every field of a report. */
export const reportShape = {
  id: shapes.uuid,
  report_hash: sha256,
  version_id: shapes.uuid,
  attempt: 1,
  evaluation: {
    passed: true,
    metrics: expect.any(Object),
    baseline: expect.any(Object),
    gates: expect.arrayContaining([
      {
        name: expect.any(String),
        passed: true,
        value: expect.any(Number),
        threshold: expect.any(Number),
        rule: expect.any(String),
      },
    ]),
    warnings: [],
  },
  status: 'pending',
  created_at: shapes.instant,
  reviewed_by: null,
  note: null,
};

/** A client of the training API with the calls that tests need. */
export function versionsClient({ rest }: Pick<Stack, 'rest'>, as: string, path: VersionsPath = 'training') {
  const url = `/api/v1/${path}`;
  const post = (body: unknown): Promise<RestReply> => rest('POST', url, { as, body });
  const act = (action: string, id: string, more: object = {}) => post({ action, id, ...more });
  const list = async () => (await rest('GET', url, { as })).body;
  return {
    post,
    act,
    list,
    /** The version as the list prints it. */
    async version(id: string) {
      const { versions } = await list();
      return versions.find((version: { id: string }) => version.id === id);
    },
    /** The input of a reviewer who has read the latest report. */
    async reviewOf(id: string) {
      const { body } = await act('reports', id);
      const [{ id: reportId, report_hash: reportHash }] = body.reports;
      return { reportId, reportHash, note: 'Read.', acknowledged: true };
    },
  };
}
