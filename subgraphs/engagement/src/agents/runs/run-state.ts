import type { Context } from '@loyalty/platform/context';

const STATE_CONTEXT = 'agent-run.state';

/** A message of the conversation with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an assistant's message. */
  readonly calls?: readonly ChatCall[];
  /** Of a tool's message: the call that it answers. */
  readonly callId?: string;
}

/** A call that a model wants; the arguments as it wrote them. */
export interface ChatCall {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
}

/** A call that is left to make. */
export interface PendingCall extends ChatCall {
  /** It was logged and may have been made: only the same Idempotency-Key makes it again. */
  readonly isStarted: boolean;
  /** Whether a person approved it; null where nobody was asked yet. */
  readonly isApproved: boolean | null;
}

/** What a worker needs to go on with a run. */
export interface RunState {
  readonly intent: string;
  readonly messages: readonly ChatMessage[];
  readonly calls: readonly PendingCall[];
  /** Calls that the model has wanted so far; numbers them. */
  readonly callCount: number;
  /** Which model of the routing answers. */
  readonly modelIndex: number;
  /** Tools that answered without an error. */
  readonly succeeded: readonly string[];
  /** How often the answer was refused by a verifier. */
  readonly corrections: number;
}

export const newState = (intent: string): RunState => ({
  intent,
  messages: [],
  calls: [],
  callCount: 0,
  modelIndex: 0,
  succeeded: [],
  corrections: 0,
});

export const sealState = ({ services, scope }: Context, state: RunState): Promise<Buffer> =>
  services.keyring.seal(scope.workspaceId, JSON.stringify(state), STATE_CONTEXT);

export const openState = async ({ services, scope }: Context, sealed: Uint8Array): Promise<RunState> =>
  JSON.parse(await services.keyring.open(scope.workspaceId, sealed, STATE_CONTEXT)) as RunState;

/** The arguments of a call; null where they are no JSON object. */
export function argumentsOf({ args }: ChatCall): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(args === '' ? '{}' : args);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
