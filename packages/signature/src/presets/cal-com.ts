import { preset } from './preset.ts';

const isBooked = { at: '/triggerEvent', in: ['BOOKING_CREATED', 'BOOKING_RESCHEDULED'] };
const isOver = { at: '/triggerEvent', in: ['BOOKING_CANCELLED', 'BOOKING_REJECTED'] };
/** The request about a booking with seats may be about one guest, and has the id of the whole. */
const SEATS = '/payload/seatsPerTimeSlot';
const id = { external_id: { at: '/payload/uid' } };
const booking = {
  ...id,
  title: { at: '/payload/title' },
  starts_at: { at: '/payload/startTime' },
  ends_at: { at: '/payload/endTime' },
  location: { any: [{ at: '/payload/metadata/videoCallUrl' }, { at: '/payload/location' }] },
};

/** Cal.com signs no time, and its requests have no id. A moved booking has a new uid. */
export const CAL_COM = preset(
  'Cal.com',
  { kind: 'hmac', header: 'X-Cal-Signature-256', encoding: 'hex', signed: ['{body}'] },
  {
    occurred_at: { at: '/createdAt' },
    rules: [
      {
        when: [isBooked, { at: SEATS, absent: true }],
        do: 'upsert',
        event: { ...booking, replaces: { at: '/payload/rescheduleUid' } },
      },
      { when: [isBooked], do: 'upsert', event: booking },
      { when: [isOver, { at: SEATS, absent: true }], do: 'cancel', event: id },
      { when: [isOver], do: 'ignore' },
    ],
  },
);
