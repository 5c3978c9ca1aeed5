/** A request as a sender writes it to its connection. */
export interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export const headOf = (
  { path, headers, body }: Sent,
  more = `content-length: ${body.length}\r\n`,
): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\nhost: x\r\n${lines.join('')}${more}\r\n`;
};
export const wholeOf = (sent: Sent): Buffer => Buffer.concat([Buffer.from(headOf(sent)), sent.body]);

/** The same request in a form that Node's parser must read. */
export const chunked = (sent: Sent): Buffer =>
  Buffer.concat([
    Buffer.from(headOf(sent, 'transfer-encoding: chunked\r\n')),
    Buffer.from(`${sent.body.length.toString(16)}\r\n`),
    sent.body,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
