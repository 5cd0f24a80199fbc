import { beforeAll, describe, expect, test } from '@jest/globals';
import { enrol } from '../contract/members/members.fixture.ts';
import { useStack } from '../harness/stack.ts';
import { connect, objectOf } from './mcp.fixture.ts';

const stack = useStack();
let workspaceId: string;
let key: string;
let memberId: string;

beforeAll(async () => {
  const owner = await stack.signUp();
  workspaceId = owner.workspaceId;
  const scopes = ['members:read', 'members:write', 'points:write', 'orders:read', 'orders:write'];
  key = (await stack.key(owner.token, scopes)).secret;
  memberId = (await enrol(stack, key)).id;
});

const plans = [
  ['paused', 'PAUSED', 0, 'SUBSCRIPTION_REQUIRED'],
  ['on a trial that is used up', 'TRIAL', 50_000, 'TRIAL_CREDITS_EXHAUSTED'],
] as const;

async function setPlan(plan: string, trialUsed: number): Promise<void> {
  await stack.graph('{ serviceRefusal { code } }', {}, key);
  const changed = await stack.services.database.sql.query(
    `UPDATE model.wallets SET plan = $2::model."WalletPlan", trial_used = $3::int8 WHERE workspace_id = $1
     RETURNING 1`,
    [workspaceId, plan, trialUsed],
  );
  expect(changed).toHaveLength(1);
}

/** Returns the tools that the key sees, and the results of a read and a write. */
async function tried() {
  const client = await connect(stack, key);
  const { tools } = await client.listTools();
  const read = await client.callTool({ name: 'points_balance', arguments: { memberId } });
  const write = await client.callTool({ name: 'points_award', arguments: { memberId, amount: 5 } });
  await client.close();
  const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
  return { changing, tools, read, write };
}

describe.each(plans)('a workspace that is %s', (_, plan, trialUsed, code) => {
  test(`keeps its tools that read, and those that write answer ${code} and are not listed`, async () => {
    await setPlan('TRIAL', 0);
    const before = await tried();
    expect(before.changing).toEqual(expect.arrayContaining(['points_award', 'orders_create']));
    expect(before.write.isError).toBeFalsy();
    await setPlan(plan, trialUsed);
    const { changing, tools, read, write } = await tried();
    expect([changing, tools.length]).toEqual([[], before.tools.length - before.changing.length]);
    expect(objectOf(read).balance).toBe(objectOf(before.write).balance);
    expect(write.isError).toBe(true);
    expect(JSON.stringify(write.content)).toContain(code);
    const { body } = await stack.rest('GET', `/api/v2/members/${memberId}/points`, { as: key });
    expect(body.balance).toBe(objectOf(read).balance);
  });
});

test('paid service allows every tool, whatever the trial was', async () => {
  await setPlan('PAID', 50_000);
  const { changing, write } = await tried();
  expect(changing).toContain('points_award');
  expect(write.isError).toBeFalsy();
});
