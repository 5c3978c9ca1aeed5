import { expect } from 'chai';
import fc from 'fast-check';
import { useIngress } from '../support/ingress.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { sized } from '../support/size.ts';

/** Each run sends ten or twenty requests. */
const RUNS = sized({ short: 12, middle: 100, long: 1_000 });
const KNOWN_STATUSES = [200, 400, 401, 403, 404, 405, 408, 413, 415, 429, 431];

describe('ingress: random and mutated requests', function () {
  this.timeout(240_000);
  const ingress = useIngress({
    config: { RATE_LIMIT_BURST: 1_000_000, BAD_SIGNATURES_PER_MINUTE: 1_000_000 },
  });

  async function statusOf(headers: Record<string, string>, body: Uint8Array): Promise<number> {
    const request = { method: 'POST', headers, body: new Uint8Array(body) };
    const answer = await fetch(ingress.url + ingress.source.path, request);
    await answer.arrayBuffer();
    return answer.status;
  }

  const json = fc.jsonValue({ maxDepth: 4 });
  const instant = fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.string(),
    fc.stringMatching(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d)?([.,]\d+)?([zZ]|[+-]\d\d:?\d\d)?$/),
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    json,
    fc.constantFrom('', ' ', '\u0000', '\ud800', '__proto__', '$where', 'a.b'),
  );
  const event = fc.record(
    {
      title: text,
      starts_at: fc.oneof(instant, json),
      ends_at: instant,
      description: text,
      location: text,
      url: text,
      price: text,
      recurring: text,
      status: text,
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    fc.record(
      { action: fc.oneof(fc.constantFrom('upsert', 'cancel', 'delete'), text), event: fc.oneof(event, json) },
      { requiredKeys: [] },
    ),
    json,
  );

  it('responds to signed bodies of any shape with 200 or 400, never with an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 20, maxLength: 20 }), async (bodies) => {
        const requests = bodies.map((value) =>
          signed({ secret: ingress.source.secret, body: JSON.stringify(value) ?? 'null' }),
        );
        const statuses = await Promise.all(requests.map((one) => statusOf(one.headers, one.body)));
        expect(
          statuses.every((status) => status === 200 || status === 400),
          statuses.join(),
        ).to.equal(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('responds to any signed bytes with 200 or 400, never with an error', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => {
        const mutated = Buffer.from(JSON.stringify(upsertBody()));
        mutated[at % mutated.length] = byte;
        return mutated;
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 20, maxLength: 20 }), async (bodies) => {
        const requests = bodies.map((value) => signed({ secret: ingress.source.secret, body: value }));
        const statuses = await Promise.all(requests.map((one) => statusOf(one.headers, one.body)));
        expect(
          statuses.every((status) => status === 200 || status === 400),
          statuses.join(),
        ).to.equal(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('rejects wrong signatures with any headers', async () => {
    const value = fc.oneof(
      fc.stringMatching(/^[\x21-\x7e]{0,80}$/),
      fc.stringMatching(/^sha256=[0-9a-f]{60,66}$/),
      fc.stringMatching(/^\d{1,20}$/),
    );
    const headers = fc.record(
      {
        'x-service-signature': value,
        'x-service-timestamp': fc.oneof(value, fc.constant(String(Math.floor(Date.now() / 1000)))),
        'content-type': fc.oneof(value, fc.constant('application/json')),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(headers, { minLength: 20, maxLength: 20 }), async (all) => {
        const statuses = await Promise.all(
          all.map((one) =>
            statusOf(one as Record<string, string>, Buffer.from(JSON.stringify(upsertBody()))),
          ),
        );
        expect(
          statuses.every((status) => [400, 401, 415].includes(status)),
          statuses.join(),
        ).to.equal(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('responds to mutated HTTP or closes the connection, and still works', async () => {
    const { body: bytes, headers } = signed({ secret: ingress.source.secret, body: upsertBody() });
    const lines = Object.entries({ ...headers, 'content-length': bytes.length, connection: 'close' }).map(
      ([name, text_]) => `${name}: ${text_}\r\n`,
    );
    const valid = Buffer.concat([
      Buffer.from(`POST ${ingress.source.path} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`),
      bytes,
    ]);
    const mutation = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 10, maxLength: 10 }), async (mutations) => {
        const answers = await Promise.all(
          mutations.map((changes) => {
            const mutated = Buffer.from(valid);
            for (const [at, byte] of changes) mutated[at] = byte;
            // Ends the connection behind the request, so that a server that waits for more sees the sender go.
            return rawHttp(ingress.url, [mutated, '\r\n\r\n'], {
              until: (answer) => answer.includes('\r\n\r\n'),
              endAfterMs: 300,
            });
          }),
        );
        for (const answer of answers) {
          const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 400);
          expect(KNOWN_STATUSES, answer).to.include(status);
        }
      }),
      { numRuns: RUNS },
    );
    expect(await statusOf(headers, bytes)).to.equal(200);
  });

  it('responds to a body of 100,000 nested levels without an error', async () => {
    const deep = `{"action":"upsert","event":{"title":"t","starts_at":"2027-01-01T00:00Z","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const { headers, body: bytes } = signed({ secret: ingress.source.secret, body: deep });
    expect(await statusOf(headers, bytes)).to.be.oneOf([200, 400]);
  });
});
