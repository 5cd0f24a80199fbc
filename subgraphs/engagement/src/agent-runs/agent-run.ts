import type { Mode } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';

/** Live channel on which workers hear of runs that are due. */
export const RUNS_CHANNEL = 'agent-runs';

/** As watchers' channels name it. */
export const RUN_NOUN = 'agentRun';

export type AgentRunStatus =
  | 'QUEUED'
  | 'RUNNING'
  | 'WAITING_FOR_APPROVAL'
  | 'COMPLETED'
  | 'ESCALATED'
  | 'FAILED'
  | 'CANCELLED';

/** One run of an agent, or the calls that somebody outside made on one day. */
export interface AgentRun {
  readonly id: string;
  readonly definitionId: string;
  /** Number of the version that it goes by. */
  readonly version: number;
  readonly status: AgentRunStatus;
  readonly actor: string;
  readonly skill: string | null;
  readonly outcome: string | null;
  readonly steps: number;
  readonly tokens: number;
  /** Millionths of a US dollar. */
  readonly usdMicros: bigint;
  /** Number of the latest event; they have no gaps. */
  readonly lastSeq: number;
  /** Number of the event that asks for an approval; null while none is asked for. */
  readonly waitingSeq: number | null;
  readonly startedAt: Date;
  readonly deadlineAt: Date;
  readonly endedAt: Date | null;
}

/** Which run of which workspace. */
export interface RunKey {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly id: string;
}

/** Names of what happens in a run. Source: v2 REST API, section 6; those of approvals and limits are ours. */
export type RunEventType =
  | 'run_started'
  | 'user_intent'
  | 'context_loaded'
  | 'model_selected'
  | 'prompt_assembled'
  | 'reasoning'
  | 'permission_check'
  | 'approval_requested'
  | 'approval_decided'
  | 'tool_called'
  | 'tool_result'
  | 'mcp_tool_call'
  | 'answer_checked'
  | 'limit_reached'
  | 'action_result'
  | 'business_outcome'
  | 'cost'
  | 'run_ended';

/** What an event says beside its type. An intent goes when a person whom the run is about is erased. */
export interface RunEventDetails {
  readonly intent?: string;
  readonly sources?: readonly string[];
  readonly model?: string;
  readonly skill?: string;
  readonly tool?: string;
  /** Arguments of a tool; texts are left out, see `shownArguments`. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly result?: string;
  readonly ok?: boolean;
  /** Why something was refused or ended: a code such as TOOL_NOT_IN_DEFINITION. */
  readonly reason?: string;
  readonly tokens?: number;
  readonly usd?: number;
  /** Calls of tools, of a run that ends. */
  readonly calls?: number;
  /** Who decided. */
  readonly by?: string;
  readonly outcome?: string;
}

export interface NewRunEvent extends RunEventDetails {
  readonly type: RunEventType;
}

/** An event as it was kept. */
export interface AgentRunEvent {
  /** The number, as cursors have it. */
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  readonly type: RunEventType;
  readonly version: number;
  readonly at: Date;
  readonly data: RunEventDetails;
}

export const isEnded = ({ endedAt }: Pick<AgentRun, 'endedAt'>): boolean => endedAt !== null;

/** Millionths of a dollar as dollars. */
export const toUsd = (micros: bigint): number => Number(micros) / 1_000_000;

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
