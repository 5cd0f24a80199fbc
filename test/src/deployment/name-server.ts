import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
/** The DNS flags: response, authoritative answer, recursion available. */
const FLAGS = 0x85_80;
const NAME_UNKNOWN = 3;
const TYPE_A = 1;

/** A DNS server like that of a container network: a name has the addresses of all replicas of a service. */
export interface NameServer {
  readonly port: number;
  add(name: string, address: string): void;
  remove(name: string, address: string): void;
  close(): void;
}

/** Answers questions for IPv4 addresses on UDP. */
export async function startNameServer(host: string): Promise<NameServer> {
  const addresses = new Map<string, Set<string>>();
  const socket = createSocket('udp4');
  socket.on('message', (question: Buffer, from: RemoteInfo) => {
    socket.send(answerTo(question, addresses), from.port, from.address);
  });
  socket.bind(0, host);
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    add: (name, address) => void addresses.set(name, new Set([...(addresses.get(name) ?? []), address])),
    remove: (name, address) => void addresses.get(name)?.delete(address),
    close: () => void socket.close(),
  };
}

/** Makes a response after RFC 1035, section 4: the question, followed by the known addresses. */
function answerTo(question: Buffer, addresses: ReadonlyMap<string, ReadonlySet<string>>): Buffer {
  const { name, end } = readName(question);
  const type = question.readUInt16BE(end);
  const known = addresses.get(name);
  const found = type === TYPE_A ? [...(known ?? [])] : [];
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(question.readUInt16BE(0), 0);
  header.writeUInt16BE(known ? FLAGS : FLAGS | NAME_UNKNOWN, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  return Buffer.concat([header, question.subarray(HEADER_BYTES, end + 4), ...found.map(recordOf)]);
}

/** Reads the labels that follow the header, and the position of their end. */
function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** The resource record: the name of the question, type A, class IN, valid for a second, four bytes. */
const recordOf = (address: string): Buffer =>
  Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]);
