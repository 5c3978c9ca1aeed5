import type { Tracing, TracingSettings } from './tracing.ts';

/** Undefined where no collector is named: OpenTelemetry is not even loaded then. */
export async function startTracing(settings: TracingSettings): Promise<Tracing | undefined> {
  const endpoint = settings.config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import('./open-tracing.ts');
  return openTracing({ ...settings, endpoint });
}
