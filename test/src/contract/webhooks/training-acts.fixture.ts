import { linearLabel, samplesCsv } from '@loyalty/model-subgraph/pipelines/samples.fixture';
import { type Act, type LiveProgramme, waitFor } from './programme.fixture.ts';

async function training({ stack, token }: LiveProgramme, body: object) {
  const reply = await stack.rest('POST', '/api/v1/training', { as: token, body });
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

/** Acts on the models that a workspace trains. */
export const trainingActs: readonly Act[] = [
  [
    ['model.report_ready', 'model.version_published'],
    async (programme) => {
      const { id } = await training(programme, {
        action: 'upload',
        name: 'Returns',
        confirmed: true,
        config: { task: 'return', origin: 'live', horizon: 30 },
        content: samplesCsv({ entities: 400, dates: 4, target: linearLabel }),
      });
      await training(programme, { action: 'start', id });
      const state = `{ version: modelVersion(id: "${id}") { id status } }`;
      await waitFor(
        programme,
        state,
        ({ version }) => 'EVALUATED' === (version as { status?: string }).status,
      );
      const { reports } = await training(programme, { action: 'reports', id });
      const [{ id: reportId, report_hash: reportHash }] = reports;
      await training(programme, { action: 'approve', id, reportId, reportHash, acknowledged: true });
      await training(programme, { action: 'publish', id });
    },
  ],
];
