import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentSpanId: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

/** A collector that stores what it receives. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** The bodies as received. */
  readonly bodies: string[];
  /** Rejects everything from now on with 400, which exporters do not retry. */
  refuseAll(): void;
  close(): Promise<void>;
}

type Pairs = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

const STATUS_ERROR = 2;

/** Accepts OTLP/HTTP in JSON at /v1/traces, and nothing else. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  let refusing = false;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const wanted = request.method === 'POST' && request.url === '/v1/traces';
    if (wanted) {
      bodies.push(body);
      spans.push(...spansOf(JSON.parse(body)));
    }
    response.writeHead(refusing ? 400 : wanted ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    refuseAll: () => {
      refusing = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON of OTLP
function spansOf({ resourceSpans }: any): ReceivedSpan[] {
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON of OTLP
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: parsed JSON of OTLP
    scopeSpans.flatMap((scope: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: parsed JSON of OTLP
      scope.spans.map((span: any) => ({
        service: String(attributesOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        links: span.links ?? [],
        attributes: attributesOf(span.attributes),
        failed: span.status?.code === STATUS_ERROR,
      })),
    ),
  );
}

function attributesOf(pairs: Pairs = []): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}
