import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { userCaller } from '../access/callers.service.ts';
import { checkAccount, checkPersonName, prepareAccount, type User } from '../accounts/accounts.service.ts';
import { awaitConfirmation } from '../accounts/confirmations.service.ts';
import { guardRegistration } from '../accounts/sign-in-guard.ts';
import { openWorkspace } from '../workspaces/workspaces.service.ts';
import { addMembership } from './memberships.service.ts';
import { workspaceRegistered } from './team.events.ts';

interface Registration {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly workspaceName?: string | null | undefined;
}

const WORKSPACE_NAME_LENGTH_MAX = 200;

/**
 * Creates an account, a workspace and the account's ownership of it, all or none.
 *
 * @throws AppError ACCOUNT_EXISTS (409), VALIDATION_FAILED, PASSWORD_WEAK (400), RATE_LIMITED (429),
 * REGISTRATION_BUSY (503)
 * @remarks Source: v2 REST API, section 4 "User accounts", POST /auth/register
 */
export async function register(ctx: Context, input: Registration): Promise<User> {
  const { name, workspaceName } = gathered((check) => {
    const checked = check(() => checkPersonName(input.name));
    const named = {
      name: checked,
      workspaceName: check(() =>
        checkText(
          'input.workspaceName',
          input.workspaceName ?? `${checked?.slice(0, 180)}'s workspace`,
          WORKSPACE_NAME_LENGTH_MAX,
        ),
      ),
    };
    check(() => checkAccount(input));
    return named;
  });
  const account = await prepareAccount(ctx, { ...input, name }, guardRegistration);
  const workspaceId = newId(ctx.clock);
  return ctx.transaction(async (tx) => {
    await account.insert(tx);
    const owner = tx.as(userCaller(account.id, workspaceId, 'OWNER'));
    await openWorkspace(owner, workspaceName);
    await addMembership(owner, account.id, 'OWNER');
    await publish(owner, workspaceRegistered, { workspaceId, accountId: account.id });
    if (ctx.services.config.TRIAL_NEEDS_CONFIRMED_EMAIL) await awaitConfirmation(owner, account.id);
    return { ...account.details, isOwn: true };
  });
}
