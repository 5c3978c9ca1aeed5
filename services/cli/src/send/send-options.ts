import type { CommonOptions } from '../context.ts';

/** The options of `sluice send`, as commander names them. */
export interface SendOptions extends CommonOptions {
  readonly url: string;
  readonly secretFile: string;
  readonly title?: string;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly description?: string;
  readonly location?: string;
  readonly eventUrl?: string;
  readonly price?: string;
  readonly recurring?: string;
  readonly status?: string;
  readonly bodyFile?: string;
  readonly timestamp?: string;
}
