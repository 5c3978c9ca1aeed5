import type { IncomingHttpHeaders } from 'node:http';
import { limitedAddress } from '@sluice/admission/limited-address';
import { SESSION_COOKIE } from '@sluice/api/browser/cookie';
import { refuseCrossSite } from '@sluice/api/http/cross-site';
import { waitsForContinue } from '@sluice/api/http/read-body';
import { authenticateKey } from '@sluice/api/public/layer/check-key';
import { readPlainRequest } from '@sluice/ingress/http/plain/read-plain-request';
import { type Addressed, createAddressOf } from '@sluice/ingress/http/sender-address';
import { createBodyRoom } from '@sluice/ingress/receive/body-room';
import { receive } from '@sluice/ingress/receive/receive';
import { waitSecondsOf } from '@sluice/ingress/results/wait-for-result';
import { openTracing } from '@sluice/runtime/telemetry/tracing/open-tracing';
import { describeSignatureForm } from '@sluice/signature/signature-form';
import { checkHeaders, checkSignature, verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import express, { type Request, type Response } from 'express';
import { cpuMs } from '../support/cpu-time.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { sized } from '../support/size.ts';

/** The limit of all headers together in Node. Bytes. */
const LENGTH = 16 * 1024;
/** Printable ASCII and a blank of Latin-1. The short form has those that a reader may look for. */
const CHARACTERS = sized({
  short: [...' ",;=\\/:.%-a0', '\u00a0'],
  middle: [...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)), '\u00a0'],
});
const SHAPES: readonly ((character: string) => string)[] = [
  (character) => character.repeat(LENGTH),
  (character) => `"${character.repeat(LENGTH - 2)}\u00ff`,
  (character) => `\\${character}`.repeat(LENGTH / 2),
  (character) => `"${character}`.repeat(LENGTH / 2),
];
/** A reader that reads each character once takes up to 2 ms on a busy machine, and one in quadratic time over 100. */
const WITHIN_MS = 5;

const expressRequest = (headers: IncomingHttpHeaders): Request =>
  Object.assign(Object.create(express.request), {
    headers,
    method: 'POST',
    res: { statusCode: 200, get: () => '"1-2"' },
    app: { get: () => () => true },
    socket: {},
  });

const key = verifyingKey('whsec_1');
const posted = (headers: IncomingHttpHeaders) =>
  receive({ method: 'POST', headers, readBody: () => ({ outcome: 'aborted' }) }, createBodyRoom());
const addresses = [true, 1, ['10.0.0.0/8', 'loopback']].map(createAddressOf);

const tracing = openTracing({
  service: 'ingress',
  config: { OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: 1 },
  logger: silentLogger(),
  endpoint: 'http://127.0.0.1:1',
});

/** The reader of each header that an ingress or an API server reads for a stranger. The admin ports read none. */
const READERS: Readonly<Record<string, (value: string) => unknown>> = {
  'any, by the plain reader': (value) =>
    readPlainRequest(
      Buffer.from(`POST /webhooks/src_1 HTTP/1.1\r\nhost: a\r\nx: ${value}\r\n\r\n{}`, 'latin1'),
    ),
  prefer: waitSecondsOf,
  'content-type': (value) => posted({ 'content-type': value }),
  'content-type, JSON first': (value) => posted({ 'content-type': `application/json${value}` }),
  'content-encoding': (value) => posted({ 'content-type': 'application/json', 'content-encoding': value }),
  'x-service-timestamp': (value) => checkHeaders({ signature: 'sha256=', timestamp: value }, 0),
  'x-service-signature': (value) => {
    checkSignature(key, '1', new Uint8Array(), value);
    describeSignatureForm(value);
    describeSignatureForm(`sha256=${value}`);
  },
  'x-forwarded-for': (value) => {
    for (const addressOf of addresses)
      limitedAddress(
        addressOf({
          headers: { 'x-forwarded-for': value },
          socket: { remoteAddress: '127.0.0.1' },
        } as Addressed),
      );
    limitedAddress(value);
  },
  traceparent: (value) => tracing.start('POST', { kind: 'server', parent: `00-${value}` }),
  cookie: (value) => SESSION_COOKIE.read(expressRequest({ cookie: value })),
  origin: (value) =>
    refuseCrossSite(
      expressRequest({ origin: `https://${value}`, 'x-forwarded-host': value, 'x-forwarded-proto': value }),
      { locals: {}, setHeader: () => undefined, end: () => undefined } as unknown as Response,
      () => undefined,
    ),
  authorization: (value) => {
    const deps = { apiKeys: { findApiKeyByHash: async () => undefined }, now: () => 0 };
    void authenticateKey(deps, value);
    void authenticateKey(deps, `Bearer ${value}`);
  },
  accept: (value) => expressRequest({ accept: value }).accepts(['html', 'json']),
  'accept-encoding': (value) => expressRequest({ 'accept-encoding': value }).acceptsEncodings('br', 'gzip'),
  'if-none-match': (value) => Reflect.get(expressRequest({ 'if-none-match': value }), 'fresh'),
  range: (value) => expressRequest({ range: `bytes=${value}` }).range(1000),
  expect: (value) => waitsForContinue(expressRequest({ expect: value })),
};

describe('a header that is expensive by design', function () {
  this.timeout(60_000);

  for (const [name, read] of Object.entries(READERS))
    it(`a stranger's ${name} of 16 KiB is read in linear time`, () => {
      for (const character of CHARACTERS)
        for (const [i, shape] of SHAPES.entries()) {
          const value = shape(character);
          expect(
            cpuMs(() => read(value), WITHIN_MS),
            `${character} in shape ${i}`,
          ).to.be.below(WITHIN_MS);
        }
    });
});
