import { NO_RULES, preset } from './preset.ts';

/** The key is the whole text of the secret, `whsec_` included. */
export const STRIPE = preset(
  'Stripe',
  {
    kind: 'hmac',
    header: 'Stripe-Signature',
    form: { kind: 'pairs', signature: 'v1' },
    encoding: 'hex',
    signed: ['{time}', '.', '{body}'],
    time: { from: 'pair', name: 't', unit: 's' },
    id: { from: 'body', at: '/id' },
  },
  NO_RULES,
);
