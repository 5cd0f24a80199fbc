import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/**
 * What the proxy does with connections: it passes them on, refuses them, never answers, or answers with a
 * SQLSTATE.
 */
export type DatabaseState = 'PASS' | 'REFUSE' | 'HANG' | { readonly sqlState: string };

/** A proxy in front of a database that can fail as networks and servers do. */
export interface DatabaseProxy {
  readonly url: string;
  /** Sets the state from now on, and cuts the open connections. */
  set(state: DatabaseState): void;
  /** Keeps open connections, but passes no more bytes. */
  stall(): void;
  close(): Promise<void>;
}

export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: DatabaseState = 'PASS';
  const server = createServer((client) => {
    keep(sockets, client);
    if (state === 'REFUSE') client.destroy();
    else if (state === 'PASS') connect(client, target, sockets);
    else if (state !== 'HANG') answerWith(client, state.sqlState);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    set(next) {
      state = next;
      cut();
    },
    stall() {
      state = 'HANG';
      for (const socket of sockets) socket.unpipe();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.once('close', () => sockets.delete(socket));
}

function connect(client: Socket, { hostname, port }: URL, sockets: Set<Socket>): void {
  const upstream = createConnection({ host: hostname, port: Number(port) });
  keep(sockets, upstream);
  client.pipe(upstream).pipe(client);
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
}

/** Answers with the ErrorResponse that PostgreSQL sends while it starts or stops. */
function answerWith(client: Socket, sqlState: string): void {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mthe database system is not available\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  client.once('data', () => client.end(Buffer.concat([head, fields])));
}
