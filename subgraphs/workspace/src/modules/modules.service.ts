import { invalid } from '@loyalty/platform/base/errors';
import { oneOf } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { forgetCredentials } from '@loyalty/platform/identity/credentials';
import { findSwitches, type ModuleSwitch, writeSwitch } from './modules.store.ts';

interface Module {
  readonly key: ModuleKey;
  readonly label: string;
  readonly isEnabled: boolean;
  readonly changedAt: Date | null;
}

const toModule = (key: ModuleKey, found: ModuleSwitch | undefined): Module => ({
  key,
  label: moduleCatalog[key],
  // A module without a stored state is disabled.
  isEnabled: found?.isEnabled === true,
  changedAt: found?.changedAt ?? null,
});

/** Returns every module of the catalog, with its state in the workspace. */
export async function listModules(ctx: Context): Promise<Module[]> {
  const switches = await findSwitches(ctx);
  return Object.keys(moduleCatalog)
    .filter(isModuleKey)
    .map((key) => toModule(key, switches.get(key)));
}

/**
 * Enables or disables a module. Has no effect, and is not audited, if the module already has this state.
 *
 * @throws AppError MODULE_UNKNOWN (400)
 * @remarks Source: v2 REST API, section 2 "Modules"
 */
export async function setModule(ctx: Context, key: string, isEnabled: boolean): Promise<Module> {
  if (!isModuleKey(key)) {
    throw invalid('key', oneOf(Object.keys(moduleCatalog)), 'MODULE_UNKNOWN');
  }
  return ctx.transaction(async (tx) => {
    const changed = await writeSwitch(tx, key, isEnabled);
    if (changed) {
      const change = { before: { isEnabled: !isEnabled }, after: { isEnabled } };
      await audit(tx, { action: 'setModule', resourceType: 'Module', resourceId: key, ...change });
      forgetCredentials(tx, `workspace:${tx.scope.workspaceId}`);
    }
    return toModule(key, changed ?? (await findSwitches(tx)).get(key));
  });
}

/** All modules by their stable key. Others cannot be enabled. */
export const moduleCatalog = {
  ambassador: 'Ambassador program',
  receipts: 'Receipt upload and recognition',
  location: 'Location and geofences',
  web_push: 'Web push',
  custom_objects: 'Custom objects',
  tracking: 'Tracking and metrics',
  transactional: 'Transactional messages',
  agents: 'AI agents',
  model: 'Consumer state model',
} as const satisfies Record<string, string>;

export type ModuleKey = keyof typeof moduleCatalog;

export const isModuleKey = (key: string): key is ModuleKey => Object.hasOwn(moduleCatalog, key);
