/** Where a span stands, as in the header `traceparent` (W3C Trace Context), which is also how it travels in a job. */
export type TraceParent = string;

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanSettings {
  readonly kind: 'server' | 'producer' | 'consumer' | 'client' | 'internal';
  /** From whoever called, so of any form; what is not a traceparent counts as none. Without one a trace begins. */
  readonly parent?: TraceParent | undefined;
  readonly links?: readonly TraceParent[];
  /** Ids and numbers; never a secret, nor anything of what senders send. */
  readonly attributes?: Attributes;
}

export interface Span {
  /** Undefined where the sampler leaves it out: whatever would be its child need not be made. */
  readonly traceparent: TraceParent | undefined;
  readonly traceId: string;
  set(attributes: Attributes): void;
  /** Marks it as gone wrong; of the error only its class is told. */
  fail(error: unknown): void;
  end(): void;
}

/** Records what happens when, and sends it to an OpenTelemetry collector. */
export interface Tracing {
  start(name: string, settings: SpanSettings): Span;
  /** Runs `work` so that `current` is this span in it and in all that it awaits. */
  within<T>(span: Span, work: () => T): T;
  current(): Span | undefined;
  /** Sends what is not sent yet, within half a second. */
  stop(): Promise<void>;
}

/** The variables that tracing is set up by. OpenTelemetry's own read others besides, such as headers and batch sizes. */
export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_SERVICE_NAME?: string | undefined;
  readonly OTEL_TRACES_SAMPLER: SamplerName;
  /** 0 to 1. */
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/** The samplers that the OpenTelemetry specification names for the variable. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

export interface TracingLogger {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

export interface TracingSettings {
  readonly service: string;
  readonly config: TracingConfig;
  readonly logger: TracingLogger;
}
