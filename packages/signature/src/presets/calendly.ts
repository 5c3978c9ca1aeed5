import { preset } from './preset.ts';

const EVENT = '/payload/scheduled_event';
const created = { at: '/event', eq: 'invitee.created' };
const canceled = { at: '/event', eq: 'invitee.canceled' };
/** The old event of a moved group booking may have other guests. */
const isForOne = { at: `${EVENT}/invitees_counter/limit`, eq: 1 };
/** A group event stays active when one of its guests leaves. */
const isOver = { at: `${EVENT}/status`, eq: 'canceled' };
const id = { external_id: { at: `${EVENT}/uri` } };
const booking = {
  ...id,
  title: { at: `${EVENT}/name` },
  starts_at: { at: `${EVENT}/start_time` },
  ends_at: { at: `${EVENT}/end_time` },
  location: { any: [{ at: `${EVENT}/location/join_url` }, { at: `${EVENT}/location/location` }] },
};

/** A moved booking has another uri. Its request names the old invitee, whose uri begins with that of the old event. */
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
    occurred_at: { at: '/created_at' },
    rules: [
      {
        when: [created, isForOne],
        do: 'upsert',
        event: { ...booking, replaces: { at: '/payload/old_invitee', before: '/invitees/' } },
      },
      { when: [created], do: 'upsert', event: booking },
      { when: [canceled, isForOne, { at: '/payload/rescheduled', eq: true }], do: 'ignore' },
      { when: [canceled, isOver], do: 'cancel', event: id },
      { when: [canceled], do: 'ignore' },
    ],
  },
);
