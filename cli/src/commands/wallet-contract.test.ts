import { expect, test } from '@jest/globals';
import { getWallet } from '@loyalty/model-subgraph/credits/wallet.service';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { setContract } from './wallet-contract.ts';

const { services } = useServices();

const caller = callerOf();
const workspaceId = caller.workspaceId!;
const said: string[] = [];

/** Runs the command with the arguments and the environment of an operator. */
function set(workspace: string, decisionScores: string): Promise<void> {
  const { masterKeys, dataDir } = services.config;
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: services.url,
    LOYALTY_DATA_DIR: dataDir,
    LOYALTY_MASTER_KEYS: masterKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  };
  return setContract(env, workspace, decisionScores, (line) => said.push(line));
}

test('the operator changes a contract, and the audit log records the change', async () => {
  expect(await getWallet(contextOf(services, caller))).toMatchObject({ decisionScores: 'SEPARATE' });
  await set(workspaceId, 'included');
  expect(await getWallet(contextOf(services, caller))).toMatchObject({ decisionScores: 'INCLUDED' });
  expect(said).toEqual([`Scores that come with a decision are now included: workspace ${workspaceId}.`]);
  const audited = await services.database.sql.query(
    'SELECT actor, action, before, after FROM platform.audit_entries WHERE workspace_id = $1',
    [workspaceId],
  );
  expect(audited).toEqual([
    {
      actor: 'system:operator',
      action: 'setDecisionScores',
      before: { decisionScores: 'SEPARATE' },
      after: { decisionScores: 'INCLUDED' },
    },
  ]);
});

const nobody = '0190a0a0-0000-7000-8000-000000000000';
test.each([
  [workspaceId, 'both', '--decision-scores must be included or separate.'],
  ['acme', 'included', 'The workspace must be given by its id, a UUID.'],
  [nobody, 'included', `No wallet has the id ${nobody}.`],
])('%s with %s is refused with a sentence', async (workspace, decisionScores, message) => {
  await expect(set(workspace, decisionScores)).rejects.toMatchObject({ name: 'ConfigError', message });
});
