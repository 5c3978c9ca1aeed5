export const PATH = '/api/v1/events/webhook/src_1';
export const USUAL = {
  Host: 'sluice.example',
  'Content-Type': 'application/json',
  'X-Service-Signature': 'sha256=00',
  'X-Service-Timestamp': '1790000000',
};

interface Parts {
  readonly start?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: string;
  readonly body?: string;
}

/** A usual request, with the given differences. */
export function raw({
  start = `POST ${PATH} HTTP/1.1`,
  headers = USUAL,
  more = '',
  body = '{}',
}: Parts = {}): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${start}\r\n${lines.join('')}Content-Length: ${body.length}\r\n${more}\r\n${body}`,
    'latin1',
  );
}
