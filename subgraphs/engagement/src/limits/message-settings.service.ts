import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { between, inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { findSettings, lockSettings, type MessageSettings, writeSettings } from './message-settings.store.ts';

const defaults: MessageSettings = {
  marketingPerDay: null,
  marketingPerWeek: null,
  quietFrom: null,
  quietUntil: null,
  isOpenTracked: true,
  isClickTracked: true,
  stoppedAt: null,
};

const PER_DAY_MAX = 100;
const PER_WEEK_MAX = 500;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns the message settings of the workspace. */
export const getMessageSettings = async (ctx: Context): Promise<MessageSettings> =>
  (await findSettings(ctx)) ?? defaults;

/** An absent setting does not change. Null removes a limit. */
export type MessageSettingsChange = {
  readonly [Name in Exclude<keyof MessageSettings, 'stoppedAt'>]?: MessageSettings[Name] | null | undefined;
};

/**
 * Changes the given settings. Two concurrent changes of different settings are both kept.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the setting
 */
export async function updateMessageSettings(
  ctx: Context,
  input: MessageSettingsChange,
): Promise<MessageSettings> {
  return ctx.transaction(async (tx) => {
    await lockSettings(tx, defaults);
    const before = await getMessageSettings(tx);
    const after = checked({ ...before, ...changesOf(input) });
    await writeSettings(tx, after);
    const resource = { resourceType: 'MessageSettings', resourceId: tx.scope.workspaceId };
    const { stoppedAt: _, ...chosen } = after;
    await audit(tx, { action: 'updateMessageSettings', ...resource, after: chosen });
    return after;
  });
}

function changesOf({ isOpenTracked, isClickTracked, ...limits }: MessageSettingsChange) {
  const given = Object.entries({
    ...limits,
    // These two settings always have a value.
    isOpenTracked: isOpenTracked ?? undefined,
    isClickTracked: isClickTracked ?? undefined,
  }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<MessageSettings>;
}

function checked(settings: MessageSettings): MessageSettings {
  const { marketingPerDay, marketingPerWeek, quietFrom, quietUntil } = settings;
  gathered((check) => {
    check(() => checkCount('input.marketingPerDay', marketingPerDay, PER_DAY_MAX));
    check(() => checkCount('input.marketingPerWeek', marketingPerWeek, PER_WEEK_MAX));
    check(() => {
      if (marketingPerWeek !== null && marketingPerWeek < (marketingPerDay ?? 0))
        throw invalid('input.marketingPerWeek', 'must not be less than marketingPerDay');
    });
    check(() => checkTime('input.quietFrom', quietFrom));
    check(() => checkTime('input.quietUntil', quietUntil));
  });
  if ((quietFrom === null) !== (quietUntil === null))
    throw invalid(
      quietFrom === null ? 'input.quietFrom' : 'input.quietUntil',
      'must be given with the other',
    );
  if (quietFrom !== null && quietFrom === quietUntil)
    throw invalid('input.quietUntil', 'must be another time than quietFrom');
  return settings;
}

function checkCount(field: string, count: number | null, max: number): void {
  if (count !== null && (count < 1 || count > max)) throw invalid(field, between(1, max));
}

function checkTime(field: string, time: string | null): void {
  if (time !== null && !TIME.test(time))
    throw invalid(field, inputRule('TIME_OF_DAY', 'must be a time such as 21:00'));
}
