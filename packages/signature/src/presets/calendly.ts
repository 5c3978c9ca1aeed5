import { preset } from './preset.ts';

const EVENT = '/payload/scheduled_event';
const canceled = { at: '/event', eq: 'invitee.canceled' };
/** A group event stays active when one of its guests leaves. */
const isOver = { at: `${EVENT}/status`, eq: 'canceled' };
/** The link of a video call is no part of the identity: it may be made after the booking. */
const identity = {
  title: { at: `${EVENT}/name` },
  starts_at: { at: `${EVENT}/start_time` },
  location: { at: `${EVENT}/location/location` },
};

/** A moved booking is a new event; the old one is canceled with `rescheduled`. */
export const CALENDLY = preset(
  'Calendly',
  {
    kind: 'hmac',
    header: 'Calendly-Webhook-Signature',
    form: { kind: 'pairs', signature: 'v1' },
    encoding: 'hex',
    signed: ['{time}', '.', '{body}'],
    time: { from: 'pair', name: 't', unit: 's' },
  },
  {
    rules: [
      {
        when: [{ at: '/event', eq: 'invitee.created' }],
        do: 'upsert',
        event: {
          ...identity,
          ends_at: { at: `${EVENT}/end_time` },
          url: { at: `${EVENT}/location/join_url` },
        },
      },
      { when: [canceled, isOver, { at: '/payload/rescheduled', eq: true }], do: 'delete', event: identity },
      { when: [canceled, isOver], do: 'cancel', event: identity },
      { when: [canceled], do: 'ignore' },
    ],
  },
);
