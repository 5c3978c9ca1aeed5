import { preset } from './preset.ts';

/** Cal.com signs no time, and has no id. */
export const CAL_COM = preset('Cal.com', {
  kind: 'hmac',
  header: 'X-Cal-Signature-256',
  encoding: 'hex',
  signed: ['{body}'],
});
