import type { Mode } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';

/** Live channel that wakes the workers that run agents. */
export const RUNS_CHANNEL = 'agent-runs';

/** The noun of a run in live channels. */
export const RUN_NOUN = 'agentRun';

export type AgentRunStatus =
  | 'QUEUED'
  | 'RUNNING'
  | 'WAITING_FOR_APPROVAL'
  | 'COMPLETED'
  | 'ESCALATED'
  | 'FAILED'
  | 'CANCELLED';

/** A run of an agent, or the mirrored calls of an external caller on one day. */
export interface AgentRun {
  readonly id: string;
  readonly definitionId: string;
  /** Number of the version that the run uses. */
  readonly version: number;
  readonly status: AgentRunStatus;
  readonly actor: string;
  readonly skill: string | null;
  readonly outcome: string | null;
  readonly steps: number;
  readonly tokens: number;
  /** Millionths of a US dollar. */
  readonly usdMicros: bigint;
  /** Number of the latest event. Numbers have no gaps. */
  readonly lastSeq: number;
  /** Number of the event that requests an approval; null without a pending request. */
  readonly waitingSeq: number | null;
  readonly startedAt: Date;
  readonly deadlineAt: Date;
  readonly endedAt: Date | null;
}

/** The key of a run: workspace, mode and id. */
export interface RunKey {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly id: string;
}

/** Types of events of a run. Source: v2 REST API, section 6; types of approvals and limits are additions. */
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

/** The details of an event. An intent is deleted when a person whom the run concerns is erased. */
export interface RunEventDetails {
  readonly intent?: string;
  readonly sources?: readonly string[];
  readonly model?: string;
  readonly skill?: string;
  readonly tool?: string;
  /** Arguments of a tool without texts, see `shownArguments`. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly result?: string;
  readonly ok?: boolean;
  /** Reason of a refusal or an end: a code such as TOOL_NOT_IN_DEFINITION. */
  readonly reason?: string;
  readonly tokens?: number;
  readonly usd?: number;
  /** Number of tool calls of an ended run. */
  readonly calls?: number;
  /** The actor who decided. */
  readonly by?: string;
  readonly outcome?: string;
}

export interface NewRunEvent extends RunEventDetails {
  readonly type: RunEventType;
}

/** A stored event. */
export interface AgentRunEvent {
  /** The number as text, for cursors. */
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  readonly type: RunEventType;
  readonly version: number;
  readonly at: Date;
  readonly data: RunEventDetails;
}

export const isEnded = ({ endedAt }: Pick<AgentRun, 'endedAt'>): boolean => endedAt !== null;

/** Converts millionths of a dollar to dollars. */
export const toUsd = (micros: bigint): number => Number(micros) / 1_000_000;

const STATE_CONTEXT = 'agent-run.state';

/** A message of the conversation with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** For a message of the assistant: its calls. */
  readonly calls?: readonly ChatCall[];
  /** For a message of a tool: the id of its call. */
  readonly callId?: string;
}

/** A call that a model requests, with the arguments as the model wrote them. */
export interface ChatCall {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
}

/** A call that has not been made yet. */
export interface PendingCall extends ChatCall {
  /** The call was logged and may have been made. It may be repeated only with the same Idempotency-Key. */
  readonly isStarted: boolean;
  /** Whether a person approved the call; null if no approval was requested yet. */
  readonly isApproved: boolean | null;
}

/** The state that a worker needs to continue a run. */
export interface RunState {
  readonly intent: string;
  readonly messages: readonly ChatMessage[];
  readonly calls: readonly PendingCall[];
  /** Number of calls that the model has requested; used to number them. */
  readonly callCount: number;
  /** Index of the current model of the routing. */
  readonly modelIndex: number;
  /** Tools that succeeded. */
  readonly succeeded: readonly string[];
  /** Number of corrections after a refusal by a verifier. */
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

/** Parses the arguments of a call; null if they are not a JSON object. */
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
