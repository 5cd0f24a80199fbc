import type { Blueprint } from './blueprint.ts';

export type RuntimeForm = 'MCP_EXTERNAL' | 'SERVER_ORCHESTRATOR' | 'INLINE_FUNCTION';

/** An AI actor of the workspace. */
export interface AgentDefinition {
  readonly id: string;
  readonly name: string;
  /** Number of the latest version. */
  readonly version: number;
  readonly archivedAt: Date | null;
  readonly actor: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a version says, apart from its number. */
export interface AgentSpecification {
  readonly runtimeForm: RuntimeForm;
  readonly agentType: string;
  readonly kind: string;
  readonly domain: string;
  /** The API key that it acts with; null for agents that bring their own credential, or use no tools. */
  readonly apiKeyId: string | null;
  readonly blueprint: Blueprint;
}

/** What a definition was at a time; it never changes. */
export interface AgentVersion extends AgentSpecification {
  /** The number, as cursors have it. */
  readonly id: string;
  readonly definitionId: string;
  readonly number: number;
  readonly actor: string;
  readonly createdAt: Date;
}
