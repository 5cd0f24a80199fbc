import {
  type Caller,
  defaultLimits,
  type Limits,
  type Mode,
  type Role,
} from '@loyalty/platform/caller/caller';
import { scopesOfRole } from '../api-keys/scopes.ts';

interface UserCallerDetails {
  readonly mode?: Mode;
  readonly modules?: readonly string[];
  readonly limits?: Limits;
  readonly session?: NonNullable<Caller['session']>;
}

/** A signed-in person in one workspace, with the scopes of the role there. */
export const userCaller = (
  accountId: string,
  workspaceId: string,
  role: Role,
  details: UserCallerDetails = {},
): Caller => ({
  kind: 'USER',
  workspaceId,
  mode: 'LIVE',
  actor: `user:${accountId}`,
  accountId,
  role,
  scopes: scopesOfRole(role),
  modules: [],
  limits: defaultLimits,
  ...details,
});
