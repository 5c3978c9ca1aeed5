import { preset } from './preset.ts';

/** The scheme that most platforms without a preset have. A profile describes others. */
export const HMAC = preset('HMAC of the body', {
  kind: 'hmac',
  header: 'X-Signature',
  encoding: 'hex',
  signed: ['{body}'],
});
