import { readdirSync, readFileSync } from 'node:fs';
import { BODY_BYTES, LARGE_BODY_BYTES, PUBLIC_BODY_BYTES } from '@sluice/api/http/read-body';
import { validate, validateQuery } from '@sluice/api/http/validate';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { parseConversationText } from '@sluice/contract/conversation/parse-conversation';
import { parseActionText } from '@sluice/contract/event/parse-action';
import { expect } from 'chai';
import * as z from 'zod';
import { cpuMs } from '../support/cpu-time.ts';

/** The CPU time that one body or query may keep other requests waiting. */
const WITHIN_MS = 30;
const QUERY_BYTES = 15 * 1024;

type Json = { readonly [key: string]: unknown };

const leaves = new Map<number, readonly unknown[]>();

/** Texts, and arrays and objects of small members, each of about so many bytes. They are made once, because that takes longest. */
function leavesOf(bytes: number): readonly unknown[] {
  const made = leaves.get(bytes) ?? [
    ...['1', 'a@', '\u0300', '1T1 '].map((text) => text.repeat(bytes / Buffer.byteLength(text))),
    Array(Math.floor(bytes / 3)).fill(''),
    Array(Math.floor(bytes / 3)).fill({}),
    Object.fromEntries(
      Array.from({ length: Math.floor(bytes / 12) }, (_, i) => [`k${i}`, ['', 1, {}][i % 3]]),
    ),
  ];
  leaves.set(bytes, made);
  return made;
}

/** A large value at each place of a schema. */
function* large(schema: Json, bytes: number): Generator<unknown> {
  yield* leavesOf(bytes);
  for (const name of ['anyOf', 'oneOf', 'allOf'])
    for (const one of (schema[name] ?? []) as readonly Json[]) yield* large(one, bytes);
  for (const [name, one] of Object.entries((schema.properties ?? {}) as Json))
    for (const value of large(one as Json, bytes)) yield { [name]: value };
  if (schema.items !== undefined) for (const value of large(schema.items as Json, bytes)) yield [value];
}

const root = new URL('../../', import.meta.url);

/** The schemas of dashboard-api that a route names as its query or body. */
async function dashboardSchemas(): Promise<[name: string, schema: z.ZodType, bytes: number][]> {
  const handlers = (readdirSync(new URL('services/api/src', root), { recursive: true }) as string[])
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(new URL(`services/api/src/${path}`, root), 'utf8'))
    .join('\n');
  const modules = readdirSync(new URL('packages/dashboard-api/src', root));
  const loaded = await Promise.all(modules.map((path) => import(`../../packages/dashboard-api/src/${path}`)));
  return loaded.flatMap(Object.entries).flatMap(([name, schema]) => {
    const use = new RegExp(`(query|body): ${name}\\b(, maxBodyBytes)?`).exec(handlers);
    if (use === null || !(schema instanceof z.ZodType)) return [];
    const bytes = use[1] === 'query' ? QUERY_BYTES : use[2] === undefined ? BODY_BYTES : LARGE_BODY_BYTES;
    return [[name, schema, bytes]];
  });
}

const jsonSchemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json;

function expectCheap(schema: Json, bytes: number, read: (value: unknown) => unknown): void {
  for (const value of large(schema, bytes)) expectQuick(value, () => read(value));
}

function expectQuick(value: unknown, work: () => unknown): void {
  const ms = cpuMs(work, WITHIN_MS);
  if (ms >= WITHIN_MS) expect.fail(`${ms} ms for ${JSON.stringify(value).slice(0, 80)}`);
}

describe('api: a body or a query that is expensive by design', function () {
  this.timeout(300_000);

  for (const { method, path, body, query } of PUBLIC_ROUTES) {
    if (body !== undefined)
      it(`costs little in the body of ${method} ${path}`, () =>
        expectCheap(jsonSchemaOf(body), PUBLIC_BODY_BYTES, (value) => validate(body, value)));
    if (query !== undefined)
      it(`costs little in the query of ${method} ${path}`, () =>
        expectCheap(jsonSchemaOf(query), QUERY_BYTES, (value) =>
          validateQuery(query, { ...(value as object) }),
        ));
  }

  it('costs little in each schema of the dashboard', async () => {
    const schemas = await dashboardSchemas();
    expect(schemas).to.have.length.above(40);
    for (const [, schema, bytes] of schemas)
      expectCheap(jsonSchemaOf(schema), bytes, (value) => validate(schema, value));
  });

  it('costs an ingress little', () => {
    const places = { conversation: { properties: { session: {}, contact: {} } }, message: {}, event: {} };
    for (const value of large({ properties: places }, PUBLIC_BODY_BYTES)) {
      const text = JSON.stringify(value);
      // The kind of a source decides which of them reads a body.
      for (const parse of [parseActionText, parseConversationText]) expectQuick(value, () => parse(text));
    }
  });
});
