import type { Tracing, TracingSettings } from './tracing.ts';

/** Opens tracing; undefined: no collector is configured, and OpenTelemetry is not loaded. */
export async function startTracing(settings: TracingSettings): Promise<Tracing | undefined> {
  const endpoint = settings.config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import('./open-tracing.ts');
  return openTracing({ ...settings, endpoint });
}
