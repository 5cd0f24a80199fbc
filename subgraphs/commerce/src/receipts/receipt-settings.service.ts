import { invalid } from '@loyalty/platform/base/errors';
import { type Given, given } from '@loyalty/platform/base/input';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { findSettings, type ReceiptSettings, upsertSettings } from './receipt-settings.store.ts';

const defaults: ReceiptSettings = { autoApprove: false, minConfidence: 85 };

/** Returns the settings of receipt approval. */
export const getReceiptSettings = async (ctx: Context): Promise<ReceiptSettings> =>
  (await findSettings(ctx)) ?? defaults;

/**
 * Changes the given settings. Two concurrent changes of different settings are both kept.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export async function setReceiptSettings(
  ctx: Context,
  input: Given<ReceiptSettings>,
): Promise<ReceiptSettings> {
  const change = given(input);
  const { minConfidence = 0 } = change;
  if (minConfidence < 0 || minConfidence > 100) throw invalid('input.minConfidence', between(0, 100));
  return ctx.transaction(async (tx) => {
    const after = await upsertSettings(tx, change, defaults);
    const resource = { resourceType: 'ReceiptSettings', resourceId: tx.scope.workspaceId };
    await audit(tx, { action: 'setReceiptSettings', ...resource, after: { ...after } });
    return after;
  });
}
