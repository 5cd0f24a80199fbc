import type { Context } from '@loyalty/platform/context';
import { AGENT_SESSION_SECONDS, signSession } from '@loyalty/platform/identity/session-token';
import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';

const CALL_TIMEOUT_MS = 60_000;
const PAGES_MAX = 20;
const IDEMPOTENCY_KEY = 'idempotencyKey';

/** The result of a tool call. */
export interface ToolOutcome {
  readonly ok: boolean;
  /** The reason of an error; UNKNOWN_TOOL if the key may not call the tool. */
  readonly reason?: string;
  /** The response as JSON, or the error. */
  readonly text: string;
}

/** The tools that a run may call, through the platform's own MCP server, which decides at each call. */
export interface AgentTools {
  readonly known: ReadonlyMap<string, Tool>;
  /** Whether repeated calls of the tool have an effect only once. */
  isRepeatable(name: string): boolean;
  /**
   * @param idempotencyKey - the same for each attempt of a call
   * @returns null without a response; the call may have been executed
   */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<ToolOutcome | null>;
  /** Returns the text of a resource; null if the key may not read it. */
  read(uri: string): Promise<string | null>;
  close(): Promise<void>;
}

/** The run and key of the tools. */
export interface ToolsOf {
  readonly runId: string;
  readonly apiKeyId: string;
}

/**
 * Opens the tools of a run with its key. The permissions of the key are read at each call.
 *
 * @returns the reason if there are none: the key is no longer valid (REFUSED), or the server does not respond
 * (AWAY)
 */
export async function openTools(ctx: Context, of: ToolsOf): Promise<AgentTools | 'REFUSED' | 'AWAY'> {
  const client = new Client({ name: 'loyalty-agent', version: '1.0.0' });
  const url = new URL('/api/mcp', ctx.services.config.GATEWAY_URL);
  const key = { isRefused: false };
  const transport = new StreamableHTTPClientTransport(url, { fetch: fetchAs(ctx, of, key) });
  try {
    await client.connect(transport, { timeout: CALL_TIMEOUT_MS });
    const known = new Map((await listTools(client)).map((tool) => [tool.name, tool]));
    return {
      known,
      isRepeatable: (name) => isRepeatable(known.get(name)),
      async call(name, args, idempotencyKey, signal) {
        const sent = takesKey(known.get(name)) ? { ...args, [IDEMPOTENCY_KEY]: idempotencyKey } : args;
        return (await call(client, name, sent, signal)) ?? (key.isRefused ? refused : null);
      },
      read: (uri) => read(client, uri),
      close: () => client.close(),
    };
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'tools of an agent not reached');
    await client.close();
    return key.isRefused ? 'REFUSED' : 'AWAY';
  }
}

/** Sends a new token with each request, so that no token is stored. */
function fetchAs(ctx: Context, { runId, apiKeyId }: ToolsOf, key: { isRefused: boolean }) {
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const now = ctx.clock.now();
    const { token } = await signSession(
      ctx.services.config.masterKeys,
      {
        audience: 'agent',
        subject: apiKeyId,
        ...ctx.scope,
        version: 0,
        authenticatedAt: now,
        sessionId: runId,
      },
      AGENT_SESSION_SECONDS,
      ctx.clock,
    );
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(input, { ...init, headers });
    key.isRefused = response.status === 401;
    return response;
  };
}

const refused: ToolOutcome = {
  ok: false,
  reason: 'CREDENTIAL_INVALID',
  text: 'Refused: the key of the agent has ended.',
};

const takesKey = (tool: Tool | undefined): boolean => IDEMPOTENCY_KEY in (tool?.inputSchema.properties ?? {});

/** By the protocol, `idempotentHint` has a meaning only for tools that change something. */
export function isRepeatable(tool: Tool | undefined): boolean {
  const { readOnlyHint, idempotentHint } = tool?.annotations ?? {};
  return takesKey(tool) || readOnlyHint === true || idempotentHint === true;
}

async function listTools(client: Client): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const reply = await client.listTools(cursor ? { cursor } : {}, { timeout: CALL_TIMEOUT_MS });
    tools.push(...reply.tools);
    cursor = reply.nextCursor;
    if (!cursor) break;
  }
  return tools;
}

async function call(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolOutcome | null> {
  try {
    const reply = await client.callTool(
      { name, arguments: { ...args } },
      { signal, timeout: CALL_TIMEOUT_MS },
    );
    const [first] = reply.content;
    const text = first?.type === 'text' ? first.text : '';
    return reply.isError ? { ok: false, reason: reasonIn(text), text } : { ok: true, text };
  } catch (error) {
    if (error instanceof ProtocolError) return { ok: false, reason: 'UNKNOWN_TOOL', text: error.message };
    return null;
  }
}

/** `{"error":{"code":"MEMBER_NOT_FOUND"}}` → `MEMBER_NOT_FOUND` */
function reasonIn(text: string): string {
  const [, code] = /"code":"([A-Z][A-Z0-9_]*)"/.exec(text) ?? [];
  return code ?? 'TOOL_FAILED';
}

async function read(client: Client, uri: string): Promise<string | null> {
  try {
    const { contents } = await client.readResource({ uri }, { timeout: CALL_TIMEOUT_MS });
    const [first] = contents;
    return first && 'text' in first ? first.text : null;
  } catch {
    return null;
  }
}
