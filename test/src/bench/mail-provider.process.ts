import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Accepts every mail, as the API of a provider does; prints its port as one line. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: request.headers['idempotency-key'] }));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.resume().on('end', () => process.exit());
