import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gatheredWith } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { questions } from '../peers.ts';
import {
  type AgentDefinition,
  type AgentSpecification,
  checkBlueprint,
  type RuntimeForm,
} from './agent-definition.ts';
import { changeAgent, insertAgent, insertAgentVersion, lockAgent } from './agents.store.ts';

const NAME_MAX = 100;

/** The content of a new version as a client sends it. */
export interface AgentInput {
  readonly runtimeForm: RuntimeForm;
  readonly agentType: string;
  readonly kind: string;
  readonly domain: string;
  readonly apiKeyId?: string | null | undefined;
  readonly blueprint: unknown;
}

/**
 * Creates a definition with its first version.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the path, such as `input.blueprint.tools[0].scope`;
 * AGENT_NAME_TAKEN (409), PEER_UNAVAILABLE (503)
 */
export async function createAgent(
  ctx: Context,
  input: AgentInput & { readonly name: string },
): Promise<AgentDefinition> {
  const read = () => checkSpecification(ctx, input);
  const name = await gatheredWith(() => checkText('input.name', input.name, NAME_MAX), read);
  const specification = await read();
  return ctx.transaction(async (tx) => {
    const made = await insertAgent(tx, { id: newId(tx.clock), name });
    if (!made) throw nameTaken(name);
    await insertAgentVersion(tx, made.id, 1, specification);
    await auditAgent(tx, 'createAgent', made);
    return made;
  });
}

/**
 * Adds a version, which new runs use. Existing runs continue with their version.
 *
 * @throws AppError VALIDATION_FAILED (400), AGENT_NOT_FOUND (404), AGENT_CHANGED (409) if `baseVersion` is
 * not the latest, PEER_UNAVAILABLE (503)
 */
export async function updateAgent(
  ctx: Context,
  id: string,
  input: AgentInput & { readonly baseVersion: number },
): Promise<AgentDefinition> {
  const specification = await checkSpecification(ctx, input);
  return ctx.transaction(async (tx) => {
    const before = await lockAgent(tx, id);
    if (!before) throw notFound('agent', id);
    if (before.version !== input.baseVersion)
      throw conflict(
        'AGENT_CHANGED',
        `The latest version is ${before.version}. Read it, and send your change with that baseVersion.`,
      );
    const version = before.version + 1;
    await insertAgentVersion(tx, id, version, specification);
    return saved(tx, 'updateAgent', before, { ...before, version });
  });
}

/**
 * Archives or restores a definition. An archived definition cannot be started.
 *
 * @throws AppError AGENT_NOT_FOUND (404)
 */
export const archiveAgent = (ctx: Context, id: string, isArchived: boolean): Promise<AgentDefinition> =>
  ctx.transaction(async (tx) => {
    const before = await lockAgent(tx, id);
    if (!before) throw notFound('agent', id);
    if (isArchived === (before.archivedAt !== null)) return before;
    return saved(tx, 'archiveAgent', before, { ...before, archivedAt: isArchived ? tx.clock.now() : null });
  });

async function saved(
  tx: Context,
  action: string,
  before: AgentDefinition,
  wanted: AgentDefinition,
): Promise<AgentDefinition> {
  const after = await changeAgent(tx, before.id, wanted);
  tx.forget();
  await auditAgent(tx, action, after, { version: before.version });
  return after;
}

async function checkSpecification(ctx: Context, input: AgentInput): Promise<AgentSpecification> {
  const { runtimeForm, agentType, kind, domain } = input;
  const blueprint = checkBlueprint(input.blueprint, 'input.blueprint');
  const apiKeyId = input.apiKeyId ?? null;
  if (runtimeForm === 'INLINE_FUNCTION' && blueprint.tools.length > 0)
    throw invalid('input.blueprint.tools', 'must be empty for an inline_function, which only answers');
  const isRunHere = runtimeForm !== 'MCP_EXTERNAL';
  if (isRunHere && blueprint.modelRouting.length === 0)
    throw invalid('input.blueprint.modelRouting', 'must name a model for an agent that runs here');
  const usesTools = blueprint.tools.length + blueprint.contextSources.length > 0;
  if (isRunHere && usesTools && !apiKeyId)
    throw invalid('input.apiKeyId', 'must be the API key that the agent acts with, as it uses tools');
  if (apiKeyId && !(await isUsableKey(ctx, apiKeyId)))
    throw invalid('input.apiKeyId', 'must be a secret API key of this mode that is not revoked');
  return { runtimeForm, agentType, kind, domain, apiKeyId, blueprint };
}

const nameTaken = (name: string) =>
  conflict('AGENT_NAME_TAKEN', `The workspace has an agent called ${name}. Choose another name.`);

const auditAgent = (
  tx: Context,
  action: string,
  { id, name, version, archivedAt }: AgentDefinition,
  before: Readonly<Record<string, unknown>> | null = null,
): Promise<void> =>
  audit(tx, {
    action,
    resourceType: 'AgentDefinition',
    resourceId: id,
    before,
    after: { name, version, isArchived: archivedAt !== null },
  });

/** Whether the id is a secret key of the caller's workspace and mode that is not revoked. */
async function isUsableKey(ctx: Context, id: string): Promise<boolean> {
  const { apiKey } = await ctx.services.peers.ask(ctx, 'workspace', questions.ApiKey, { id });
  return apiKey?.kind === 'SECRET' && apiKey.mode === ctx.scope.mode && apiKey.revokedAt === null;
}
