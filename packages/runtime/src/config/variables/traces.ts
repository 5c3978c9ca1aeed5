import * as z from 'zod';
import { SAMPLERS } from '../../telemetry/tracing/tracing.ts';
import { inGroup } from '../variable-info.ts';
import { httpUrl, ratio } from '../variable-types.ts';

const info = inGroup('Traces');

/** OpenTelemetry traces. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl().meta(
    info(
      'Where ingress, worker and dispatcher send OpenTelemetry traces (OTLP over HTTP). Without it there are none.',
      'http://otel-collector:4318',
    ),
  ),
  OTEL_SERVICE_NAME: z
    .string()
    .meta(
      info(
        'Name of the process in its traces. Default: sluice-ingress, sluice-worker, sluice-dispatcher.',
        'sluice-ingress',
      ),
    ),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .prefault('parentbased_always_on')
    .meta(info(`Which requests are traced: ${SAMPLERS.join(', ')}.`)),
  OTEL_TRACES_SAMPLER_ARG: ratio()
    .prefault('1')
    .meta(info('For the samplers by ratio: the share of requests that is traced, from 0 to 1.')),
} as const;
