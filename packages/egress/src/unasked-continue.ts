import type { buildConnector } from 'undici';

type Connect = buildConnector.connector;

const CONTINUE = /^HTTP\/1\.\d 100/;
const INTERIM = /^HTTP\/1\.\d 1\d\d/;
const LINE_BYTES = 12;

/**
 * undici 7.30 closes a connection on which 100 Continue comes unasked, and ignores all other 1xx responses as RFC 9110, section 15.2,
 * wants. So it reads 100 as 102. Servers write a 1xx response at once, so a chunk begins with it.
 */
export function ignoringContinue(connect: Connect): Connect {
  return (options, callback) =>
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) return callback(error, null);
      const read = socket.read.bind(socket);
      socket.read = (size) => withoutContinue(read(size));
      callback(null, socket);
    });
}

function withoutContinue(chunk: Buffer | null): Buffer | null {
  let at = 0;
  while (chunk !== null) {
    const line = chunk.toString('latin1', at, at + LINE_BYTES);
    if (!INTERIM.test(line)) break;
    if (CONTINUE.test(line)) chunk.write('2', at + LINE_BYTES - 1);
    const end = chunk.indexOf('\r\n\r\n', at);
    if (end < 0) break;
    at = end + 4;
  }
  return chunk;
}
