import { administratorOf } from '@loyalty/platform/base/caller';
import { forbidden } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { questions } from '../peers.ts';
import type { ModelVersion } from '../versions/model-version.ts';
import { changeSeparation, isSeparated } from './reviews.store.ts';

/** Returns whether a version must be approved by somebody other than its uploader. */
export const isSeparationRequired = (ctx: Context): Promise<boolean> => isSeparated(ctx);

/**
 * Sets whether a version must be approved by somebody other than its uploader.
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

/** The setting; whether it is effective is resolved separately. */
export interface ReviewSeparation {
  readonly isRequired: boolean;
}

/**
 * Returns whether nobody can approve their own uploads. With one administrator the setting has no effect.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export const isSeparationEffective = async (ctx: Context, { isRequired }: ReviewSeparation) =>
  isRequired && (await countAdministrators(ctx)) > 1;

/**
 * Makes sure that the caller may approve the version. A single administrator may approve their own uploads.
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

/** Counts the administrators, including owners, among the 200 newest members of the team. */
async function countAdministrators(ctx: Context): Promise<number> {
  const { teamMembers } = await ctx.services.peers.ask(ctx, 'workspace', questions.TeamRoles, {});
  return teamMembers.nodes.filter(({ role }) => role !== 'MEMBER').length;
}
