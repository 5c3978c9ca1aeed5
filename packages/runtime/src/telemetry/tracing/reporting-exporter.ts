import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { TracingLogger } from './tracing.ts';

/** Wraps an exporter so that it logs when the collector rejects traces, and when it accepts them again. */
export function reportingExporter(exporter: SpanExporter, logger: TracingLogger): SpanExporter {
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
