import { administratorOf } from '@loyalty/platform/base/caller';
import { forbidden } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { questions } from '../peers.ts';
import type { ModelVersion } from '../versions/model-version.ts';
import { changeSeparation, isSeparated } from './reviews.store.ts';

/** Must somebody else approve what one person uploaded? */
export const isSeparationRequired = (ctx: Context): Promise<boolean> => isSeparated(ctx);

/**
 * Demands, or no longer, that nobody approves the report of a version that they uploaded themselves.
 *
 * @remarks Source: requirement M-TRN-33
 */
export async function setSeparation(ctx: Context, isRequired: boolean): Promise<boolean> {
  await ctx.transaction(async (tx) => {
    if (!(await changeSeparation(tx, isRequired))) return;
    await audit(tx, {
      action: 'setReviewSeparation',
      resourceType: 'Workspace',
      resourceId: tx.scope.workspaceId,
      before: { isRequired: !isRequired },
      after: { isRequired },
    });
  });
  return isRequired;
}

/** What is demanded; whether that has an effect is asked where it is wanted. */
export interface ReviewSeparation {
  readonly isRequired: boolean;
}

/**
 * Whether nobody can approve what they uploaded themselves. Where there is one administrator, nobody else
 * could.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export const isSeparationEffective = async (ctx: Context, { isRequired }: ReviewSeparation) =>
  isRequired && (await countAdministrators(ctx)) > 1;

/**
 * Makes sure that the caller may approve the version. In a workspace with one administrator there is nobody
 * else who could.
 *
 * @throws AppError REVIEWER_IS_UPLOADER (403), PEER_UNAVAILABLE (503)
 */
export async function requireOtherReviewer(ctx: Context, version: ModelVersion): Promise<void> {
  if (administratorOf(ctx.caller) !== version.administrator || !(await isSeparated(ctx))) return;
  if ((await countAdministrators(ctx)) < 2) return;
  throw forbidden(
    'REVIEWER_IS_UPLOADER',
    'Another administrator must approve this version: the workspace separates uploads from reviews.',
  );
}

/** Owners among them, as far as they are among the 200 newest of the team. */
async function countAdministrators(ctx: Context): Promise<number> {
  const { teamMembers } = await ctx.services.peers.ask(ctx, 'workspace', questions.TeamRoles, {});
  return teamMembers.nodes.filter(({ role }) => role !== 'MEMBER').length;
}
