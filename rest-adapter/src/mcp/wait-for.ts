import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@loyalty/platform/clock';
import type { ServerContext } from '@modelcontextprotocol/server';
import { callTool, progressOf, type ToolCall } from './call-tool.ts';

const EVERY_MS = SECOND_MS;
const LONGEST_MS = 5 * MINUTE_MS;

/**
 * The reply once what it shows has ended; after five minutes, the reply as it is then. A client that gave
 * a progress token hears of every change. It stops when the client goes or cancels.
 */
export async function waitFor(call: ToolCall, { mcpReq }: ServerContext): Promise<unknown> {
  const { row } = call.tool.endpoint;
  const token = mcpReq._meta?.progressToken;
  const signal = AbortSignal.any([mcpReq.signal, call.request.gone]);
  const until = performance.now() + LONGEST_MS;
  let reported = -1;
  for (;;) {
    const reply = await callTool(call);
    const { done, total, ended } = progressOf(row, reply);
    if (token !== undefined && done > reported) {
      const params = { progressToken: token, progress: done, ...(total !== null && { total }) };
      await mcpReq.notify({ method: 'notifications/progress', params });
      reported = done;
    }
    if (ended || performance.now() >= until) return reply;
    await sleep(EVERY_MS, undefined, { signal });
  }
}
