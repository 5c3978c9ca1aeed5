import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Span as ApiSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { within } from '../../timing/within.ts';
import { versionOfSluice } from '../../version.ts';
import type { Span, TraceParent, Tracing, TracingConfig, TracingLogger, TracingSettings } from './tracing.ts';

const KINDS = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** A group has at most 512 requests, and its span has a link to each. */
const MAX_LINKS = 512;

/** The part of the grace period for sending the last traces. */
const LAST_TRACES_MS = 500;

/** Sends traces to an OTLP/HTTP collector. Loaded only when one is configured, because OpenTelemetry is large. */
export function openTracing(settings: TracingSettings & { readonly endpoint: string }): Tracing {
  const { service, config, logger, endpoint } = settings;
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const named = resourceFromAttributes({
    'service.name': config.OTEL_SERVICE_NAME ?? `sluice-${service}`,
    'service.version': versionOfSluice(),
  });
  const provider = new BasicTracerProvider({
    // OTEL_RESOURCE_ATTRIBUTES applies, except for the name and the version.
    resource: detectResources({ detectors: [envDetector] }).merge(named),
    sampler: samplerOf(config),
    spanLimits: { linkCountLimit: MAX_LINKS },
    spanProcessors: [new BatchSpanProcessor(reportingExporter(exporter, logger))],
  });
  const tracer = provider.getTracer('sluice', versionOfSluice());
  const currentSpan = new AsyncLocalStorage<Span>();
  return {
    start(name, { kind, parent, links = [], attributes = {} }) {
      const context = contextOf(parent);
      const linked = links.flatMap((link) => parseTraceParent(link) ?? []).map((one) => ({ context: one }));
      const options = { kind: KINDS[kind], attributes: { ...attributes }, links: linked };
      return toSpan(tracer.startSpan(name, options, context));
    },
    within: (span, work) => currentSpan.run(span, work),
    current: () => currentSpan.getStore(),
    // A process that stops must not wait for a collector that is away. The exporter has logged the failure.
    async stop() {
      const sent = provider.shutdown().catch(() => undefined);
      await within(LAST_TRACES_MS, sent, () => undefined);
    },
  };
}

function contextOf(parent: TraceParent | undefined) {
  const found = parent === undefined ? null : parseTraceParent(parent);
  return found === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...found, isRemote: true });
}

function toSpan(span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    traceId,
    traceparent: sampled ? `00-${traceId}-${spanId}-01` : undefined,
    set(attributes) {
      for (const [name, value] of Object.entries(attributes))
        if (value !== undefined) span.setAttribute(name, value);
    },
    fail(error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}

/** Returns the sampler with this name in the OpenTelemetry specification. `parentbased`: the start of the trace decides. */
function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingConfig): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

/** Wraps an exporter so that it logs when the collector rejects traces, and when it accepts them again. */
function reportingExporter(exporter: SpanExporter, logger: TracingLogger): SpanExporter {
  let failing = false;
  const note = ({ code, error }: ExportResult) => {
    const failed = code !== ExportResultCode.SUCCESS;
    if (failed && !failing) {
      const reason = error?.message;
      logger.warn({ event: 'tracing.away', reason }, 'the collector takes no traces; they are dropped');
    }
    if (!failed && failing) logger.info({ event: 'tracing.back' }, 'the collector takes traces again');
    failing = failed;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush !== undefined && {
      forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    }),
  };
}
