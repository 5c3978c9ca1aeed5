import { NO_RULES, preset } from './preset.ts';

export const TYPEFORM = preset(
  'Typeform',
  {
    kind: 'hmac',
    header: 'Typeform-Signature',
    form: { kind: 'prefix', prefix: 'sha256=' },
    encoding: 'base64',
    signed: ['{body}'],
    id: { from: 'body', at: '/event_id' },
  },
  NO_RULES,
);
