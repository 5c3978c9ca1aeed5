import { EXIT_BAD_CONFIG } from '../config/config.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Releasers } from './releasers.ts';

/** Ends the process (78) because of what it found: started again it would find the same. `message` says what mends it. */
export async function refuseToStart(
  { logger, releasers }: { readonly logger: Logger; readonly releasers: Releasers },
  fields: object,
  message: string,
): Promise<never> {
  logger.fatal(fields, message);
  await releasers.release();
  process.exit(EXIT_BAD_CONFIG);
}
