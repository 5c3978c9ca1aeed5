import { preset } from './preset.ts';

const identity = {
  title: { at: '/payload/name' },
  starts_at: { at: '/payload/start/iso' },
  location: { at: '/payload/venue/name' },
};

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
    rules: [
      {
        when: [{ at: '/event', in: ['EVENT.CREATED', 'EVENT.UPDATED'] }],
        do: 'upsert',
        event: { ...identity, ends_at: { at: '/payload/end/iso' }, url: { at: '/payload/checkout_url' } },
      },
      { when: [{ at: '/event', eq: 'EVENT.DELETED' }], do: 'delete', event: identity },
    ],
  },
);
