import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SmtpServer {
  readonly url: string;
  /** Received messages, as they were sent. */
  readonly received: readonly string[];
  close(): void;
}

/** A mail server that stores accepted messages and answers recipients with `recipientReply`. */
export async function smtpServer(recipientReply = '250 fine'): Promise<SmtpServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let data: string | null = null;
    let rest = '';
    const reply = (line: string) => socket.write(`${line}\r\n`);
    reply('220 test');
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (data !== null && line !== '.') data += `${line}\n`;
        else if (data !== null) {
          received.push(data);
          data = null;
          reply('250 accepted');
        } else if (/^(EHLO|HELO)/.test(line)) reply('250 test');
        else if (line.startsWith('RCPT')) reply(recipientReply);
        else if (line === 'DATA') {
          data = '';
          reply('354 go on');
        } else reply('250 fine');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
