import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { type ExecuteOnSubgraph, type ShopRequest, subgraphs } from './subgraphs.ts';

/**
 * All four subgraphs in one process over HTTP, each at the path of its name: `subgraphs.process.ts PORT`. It
 * does as little as possible, so that the gateway is the limit.
 */
const handlers = new Map(Object.entries(subgraphs).map(([name, execute]) => [`/${name}`, execute]));

const server = createServer((request, response) => {
  const execute = handlers.get(request.url ?? '');
  if (execute) receive(request, response, execute);
  else response.writeHead(404).end();
});
server.keepAliveTimeout = 600_000;
server.listen(Number(process.argv[2]), '127.0.0.1');

function receive(request: IncomingMessage, response: ServerResponse, execute: ExecuteOnSubgraph): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    text += part;
  });
  request.on('end', () => {
    const result = execute(JSON.parse(text) as ShopRequest);
    if (result instanceof Promise) void result.then((late) => answer(response, late));
    else answer(response, result);
  });
}

function answer(response: ServerResponse, result: ExecutionResult): void {
  const body = JSON.stringify(result);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
