import { NO_RULES, preset } from './preset.ts';

/** X-GitHub-Delivery is not signed, so it identifies nothing. */
export const GITHUB = preset(
  'GitHub',
  {
    kind: 'hmac',
    header: 'X-Hub-Signature-256',
    form: { kind: 'prefix', prefix: 'sha256=' },
    encoding: 'hex',
    signed: ['{body}'],
  },
  NO_RULES,
);
