import { preset } from './preset.ts';

export const CALENDLY = preset('Calendly', {
  kind: 'hmac',
  header: 'Calendly-Webhook-Signature',
  form: { kind: 'pairs', signature: 'v1' },
  encoding: 'hex',
  signed: ['{time}', '.', '{body}'],
  time: { from: 'pair', name: 't', unit: 's' },
});
