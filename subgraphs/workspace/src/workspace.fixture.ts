import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anonymous, type Caller, type Mode, type Role, systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { executeSubgraph } from '@loyalty/platform/graph/subgraph';
import { askPeer } from '@loyalty/test/harness/peers';
import type { TestServices } from '@loyalty/test/harness/services';
import { resolveCaller } from './access/callers.service.ts';
import { login } from './sessions/sessions.service.ts';
import { workspace as subgraph } from './subgraph.ts';
import { addMembership } from './team/memberships.service.ts';
import { register } from './team/registration.service.ts';

export const PASSWORD = 'correct horse battery';

/** Initial data of tests; people and workspaces are created through the services. */
export function createGiven(services: TestServices) {
  let count = 0;
  const as = (caller: Caller, address: string | null = null): Context =>
    createContext(services, { caller, requestId: 'test', address });
  const nobody = (address: string | null = null): Context => as(anonymous, address);
  const system = (): Context => as(systemCaller('gateway'));

  /** Returns the context of the credential's caller. */
  async function contextOf(
    credential: string,
    chosen: { mode?: string; workspaceId?: string } = {},
  ): Promise<Context> {
    const { caller } = await resolveCaller(system(), { credential, ...chosen });
    return as(caller);
  }

  /** Creates a person with an account and a workspace, signed in there. */
  async function owner(name = 'Ada') {
    count += 1;
    const email = `person${count}@example.com`;
    const user = await register(nobody(), { email, password: PASSWORD, name });
    const { token } = await login(nobody(), { email, password: PASSWORD });
    const ctx = await contextOf(token);
    return { id: user.id, email, token, ctx, workspaceId: ctx.scope.workspaceId };
  }

  /** Creates a person who has joined the workspace of `ctx`, signed in there. */
  async function colleague(ctx: Context, role: Role) {
    const person = await owner('Grace');
    await addMembership(ctx, person.id, role);
    const { workspaceId } = ctx.scope;
    const { token } = await login(nobody(), { email: person.email, password: PASSWORD, workspaceId });
    return { id: person.id, email: person.email, token, ctx: await contextOf(token) };
  }

  /** Creates a signed-in member in the workspace of `ctx` and the mode. */
  async function member(ctx: Context, mode: Mode = 'LIVE') {
    const there = as({ ...ctx.caller, mode });
    const ask = (query: string, variables: object) => askPeer(there, 'loyalty', query, variables);
    const created = await ask(
      'mutation ($email: String!) { createMember(input: { email: $email, fullName: "Bo" }) { id } }',
      { email: `member${newId(services.clock)}@example.com` },
    );
    const { id } = created['createMember'] as { id: string };
    const start = 'mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }';
    const { token } = (await ask(start, { id }))['startMemberSession'] as { token: string };
    return { id, token };
  }

  /** Runs an operation; returns the data, and `extensions.reason` of the first error. */
  async function run<T = Record<string, never>>(
    ctx: Context,
    query: string,
    variables: Record<string, unknown> = {},
  ) {
    const { data, errors } = await executeSubgraph(subgraph, { query, variables }, ctx);
    const extensions = errors?.[0]?.extensions as
      | { code: string; reason?: string; field?: string }
      | undefined;
    return { data: data as T, errors, ...extensions };
  }

  /** Returns the decoded messages sent so far, the latest last. */
  async function mails(): Promise<string[]> {
    const directory = join(services.config.dataDir, 'mail');
    const names = await readdir(directory).catch(() => []);
    return Promise.all(
      names.sort().map(async (name) => decode(await readFile(join(directory, name), 'utf8'))),
    );
  }

  return { as, nobody, system, contextOf, owner, colleague, member, run, mails };
}

const decode = (mail: string): string =>
  mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Returns the token of the link in a message. */
export const tokenIn = (mail: string | undefined): string => /#token=([\w-]+)/.exec(mail ?? '')?.[1] ?? '';
