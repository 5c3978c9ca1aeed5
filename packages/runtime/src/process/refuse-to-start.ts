import { EXIT_BAD_CONFIG } from '../config/config.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Releasers } from './releasers.ts';

/** Ends the process with code 78. `fields` and `message` make its last log line. */
export type Refuse = (fields: object, message: string) => Promise<never>;

/** Ends the process with code 78: a restart would find the same. `message` says how to fix it. */
export async function refuseToStart(
  { logger, releasers }: { readonly logger: Logger; readonly releasers: Releasers },
  fields: object,
  message: string,
): Promise<never> {
  logger.fatal(fields, message);
  await releasers.release();
  process.exit(EXIT_BAD_CONFIG);
}
