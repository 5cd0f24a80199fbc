import { AppError, forbidden } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import { z } from 'zod';
import { maximumOf } from '../credits/charges.ts';
import { getWallet } from '../credits/wallet.service.ts';
import { answerCalls } from './answers.service.ts';
import type { Capability } from './capability.ts';
import { capabilityTable } from './capability-table.ts';
import type { CapabilityResult, Json } from './finding.ts';

/** A capability in the list. */
export interface ListedCapability {
  readonly name: string;
  readonly description: string;
  readonly scope: string;
  /** JSON Schema, draft 2020-12. */
  readonly inputSchema: Json;
  readonly paged: boolean;
  readonly batchable: boolean;
  /** Maximum cost in credits under the workspace's contract. */
  readonly cost: number;
}

const mayCall = (ctx: Context, { scope }: Capability): boolean => scopesSuffice(ctx.caller, [[scope]]);

/** Cached: the table does not change. */
const inputSchemas = new Map<string, Json>();

function inputSchemaOf({ name, schema }: Capability): Json {
  const made = inputSchemas.get(name) ?? z.toJSONSchema(schema, { io: 'input' });
  inputSchemas.set(name, made);
  return made;
}

/**
 * Returns the capabilities that the caller may call.
 *
 * @remarks Source: model API, section 4 "Capabilities", GET /api/v1/capabilities; requirement M-CAP-01
 */
export async function listCapabilities(ctx: Context): Promise<ListedCapability[]> {
  const { decisionScores } = await getWallet(ctx);
  const callable = [...capabilityTable.values()].filter((row) => mayCall(ctx, row));
  return callable.map((row) => ({
    name: row.name,
    description: row.description,
    scope: row.scope,
    inputSchema: inputSchemaOf(row),
    paged: row.isPaged,
    batchable: row.isBatchable,
    cost: maximumOf([row.maximum], decisionScores),
  }));
}

/**
 * Returns the capability of that name if the caller may call it.
 *
 * @throws AppError CAPABILITY_NOT_FOUND (404), SCOPE_MISSING (403)
 */
export function getCapability(ctx: Context, name: string): Capability {
  const found = capabilityTable.get(name);
  if (!found) {
    throw new AppError(
      'NOT_FOUND',
      'CAPABILITY_NOT_FOUND',
      'No capability has this name. Call one of those that are listed for you.',
    );
  }
  if (!mayCall(ctx, found)) throw forbidden('SCOPE_MISSING', `This needs the scope ${found.scope}.`);
  return found;
}

/**
 * Calls a capability: scores a member, recommends, lists, or records.
 *
 * @param args - as its schema defines them; unknown arguments are refused
 * @returns an answer; UNAVAILABLE is an answer, too: it is free and says nothing about the member
 * @throws AppError CAPABILITY_NOT_FOUND, CONSUMER_NOT_FOUND (404), SCOPE_MISSING, MEMBER_RESTRICTED (403),
 *   INVALID_ARGUMENTS (400), TRIAL_CREDITS_EXHAUSTED, SUBSCRIPTION_REQUIRED, INSUFFICIENT_CREDITS (402), and
 *   errors of single capabilities: RUN_NOT_FOUND, ANALYSIS_NOT_FOUND, DECISION_NOT_FOUND (404)
 * @remarks Source: model API, section 4 "Capabilities", POST /api/v1/capabilities; M-CAP-04 to M-CAP-08
 */
export async function callCapability(ctx: Context, name: string, args: unknown): Promise<CapabilityResult> {
  const call = getCapability(ctx, name).prepare(args);
  const [outcome] = await answerCalls(ctx, [call], name);
  if (outcome!.status === 'rejected') throw outcome!.reason;
  return outcome!.value;
}
