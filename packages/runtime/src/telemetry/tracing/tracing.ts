/** The id of a span in the format of the header `traceparent` (W3C Trace Context). Jobs carry it in the same format. */
export type TraceParent = string;

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanSettings {
  readonly kind: 'server' | 'producer' | 'consumer' | 'client' | 'internal';
  /** The caller's span. It is untrusted: an invalid traceparent counts as none. Without one, a new trace begins. */
  readonly parent?: TraceParent | undefined;
  readonly links?: readonly TraceParent[];
  /** Ids and numbers only: never a secret, never data of a sender. */
  readonly attributes?: Attributes;
}

export interface Span {
  /** Undefined: the sampler dropped the span, and child spans are not needed. */
  readonly traceparent: TraceParent | undefined;
  readonly traceId: string;
  set(attributes: Attributes): void;
  /** Marks the span as failed. Only the class of the error is recorded. */
  fail(error: unknown): void;
  end(): void;
}

/** Records spans and sends them to an OpenTelemetry collector. */
export interface Tracing {
  start(name: string, settings: SpanSettings): Span;
  /** Runs `work` with this span as `current`, in async calls too. */
  within<T>(span: Span, work: () => T): T;
  current(): Span | undefined;
  /** Sends the remaining spans, within half a second. */
  stop(): Promise<void>;
}

/** The variables of tracing. OpenTelemetry reads more of them itself, such as headers and batch sizes. */
export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_SERVICE_NAME?: string | undefined;
  readonly OTEL_TRACES_SAMPLER: SamplerName;
  /** 0 to 1. */
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/** The sampler names of the OpenTelemetry specification. */
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
