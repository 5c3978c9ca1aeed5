import { preset } from './preset.ts';

const id = { external_id: { at: '/payload/id' } };

/** There is no separator between time and body. */
export const TICKET_TAILOR = preset(
  'Ticket Tailor',
  {
    kind: 'hmac',
    header: 'Tickettailor-Webhook-Signature',
    form: { kind: 'pairs', signature: 'v1' },
    encoding: 'hex',
    signed: ['{time}', '{body}'],
    time: { from: 'pair', name: 't', unit: 's' },
    id: { from: 'body', at: '/id' },
  },
  {
    // It is written with a blank and without a zone, such as 2025-01-01 10:00:00.
    occurred_at: { date: { at: '/created_at', before: ' ' }, time: { at: '/created_at', after: ' ' } },
    rules: [
      {
        when: [{ at: '/event', in: ['EVENT.CREATED', 'EVENT.UPDATED'] }],
        do: 'upsert',
        event: {
          ...id,
          title: { at: '/payload/name' },
          starts_at: { at: '/payload/start/iso' },
          ends_at: { at: '/payload/end/iso' },
          location: { at: '/payload/venue/name' },
          url: { at: '/payload/checkout_url' },
        },
      },
      { when: [{ at: '/event', eq: 'EVENT.DELETED' }], do: 'delete', event: id },
    ],
  },
);
