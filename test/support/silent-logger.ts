import { createLogger, type Logger } from '@sluice/runtime/telemetry/logger';

/** A logger whose output no test reads. */
export function silentLogger(): Logger {
  return createLogger({ service: 'test', level: 'silent' });
}

/** A logger whose records a test reads. */
export function recordingLogger(): { logger: Logger; records: Record<string, unknown>[] } {
  const records: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void records.push(JSON.parse(line)) };
  return { logger: createLogger({ service: 'test', level: 'trace', destination }), records };
}
