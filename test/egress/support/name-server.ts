import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';

/** Addresses of one family, none, an error of the server, or no answer ever. */
export type NameAnswer = readonly string[] | 'unknown' | 'failed' | 'silence';

export interface NameServer {
  /** For `Resolver.setServers`. */
  readonly address: string;
  close(): void;
}

const CODES = { failed: 2, unknown: 3 } as const;
const TYPES = { 1: 4, 28: 6 } as const;
const HEAD_BYTES = 12;

/** A name server on UDP (RFC 1035). `answer` may take its time. */
export async function startNameServer(
  answer: (name: string) => NameAnswer | Promise<NameAnswer>,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', async (query, { port, address }) => {
    const labels: string[] = [];
    let at = HEAD_BYTES;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(HEAD_BYTES, at + 5);
    const family = TYPES[query.readUInt16BE(at + 1) as keyof typeof TYPES];
    const name = labels.join('.');
    const found = await answer(name);
    if (found === 'silence') return;
    const addresses = typeof found === 'string' ? [] : found.filter((one) => isIP(one) === family);
    const head = Buffer.alloc(HEAD_BYTES);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (typeof found === 'string' ? CODES[found] : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((one) => recordOf(one, query.readUInt16BE(at + 1)));
    socket.send(Buffer.concat([head, question, ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

/** For the name of the question. `::1` is the only IPv6 address that tests need. */
function recordOf(address: string, type: number): Buffer {
  const data = isIP(address) === 4 ? Buffer.from(address.split('.').map(Number)) : Buffer.alloc(16);
  if (isIP(address) === 6) data[15] = 1;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
