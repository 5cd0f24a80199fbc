import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request to the model. */
export interface AskedModel {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly max_completion_tokens: number;
}

/** One scripted answer, or an action of the server in place of an answer. */
export type Scripted =
  | { readonly say: string; readonly tokens?: number }
  | { readonly call: readonly (readonly [tool: string, args: unknown])[]; readonly tokens?: number }
  | { readonly raw: string }
  | { readonly status: number }
  | { readonly act: (response: ServerResponse) => void };

/** A model server that gives the answers of the script in order, and repeats the last one. */
export interface ScriptedModel {
  readonly url: string;
  readonly asked: AskedModel[];
  script(...answers: readonly Scripted[]): void;
  close(): Promise<void>;
}

export async function scriptedModel(): Promise<ScriptedModel> {
  let answers: Scripted[] = [];
  const asked: AskedModel[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(parts).toString()) as AskedModel);
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
      send(response, answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    script(...next) {
      answers = [...next];
      asked.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, answer: Scripted): void {
  if ('act' in answer) {
    answer.act(response);
    return;
  }
  const status = 'status' in answer ? answer.status : 200;
  response.writeHead(status, { 'content-type': 'application/json' });
  if ('raw' in answer) response.end(answer.raw);
  else if ('status' in answer) response.end('{"error":{"message":"no"}}');
  else response.end(JSON.stringify(completion(answer)));
}

function completion(answer: Extract<Scripted, { say: string } | { call: unknown }>) {
  const { tokens = 10 } = answer;
  const message =
    'say' in answer
      ? { role: 'assistant', content: answer.say }
      : {
          role: 'assistant',
          content: null,
          tool_calls: answer.call.map(([name, args], index) => ({
            id: `x${index}`,
            type: 'function',
            function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
          })),
        };
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: tokens, completion_tokens: tokens, total_tokens: 2 * tokens },
  };
}
