import { preset } from './preset.ts';

/** There is no separator between time and body. */
export const TICKET_TAILOR = preset('Ticket Tailor', {
  kind: 'hmac',
  header: 'Tickettailor-Webhook-Signature',
  form: { kind: 'pairs', signature: 'v1' },
  encoding: 'hex',
  signed: ['{time}', '{body}'],
  time: { from: 'pair', name: 't', unit: 's' },
  id: { from: 'body', at: '/id' },
});
