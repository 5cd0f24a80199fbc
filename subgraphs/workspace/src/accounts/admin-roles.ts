import type { Caller, Role } from '@loyalty/platform/caller/caller';

/** Owners and admins manage a workspace. */
export const isAdminRole = (role: Role | null): boolean => role === 'OWNER' || role === 'ADMIN';

/** A person who manages the workspace; a key never is one. */
export const isAdminUser = ({ kind, role }: Caller): boolean => kind === 'USER' && isAdminRole(role);
