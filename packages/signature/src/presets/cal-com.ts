import { preset } from './preset.ts';

const kind = (...names: readonly string[]) => ({ at: '/triggerEvent', in: [...names] });
/** A booking with seats: its cancellation may be that of one guest, with the id of the whole. */
const hasSeats = { at: '/payload/seatsPerTimeSlot', exists: true as const };
/** The location is no part of the identity: a cancellation names the app of a video call, a booking its URL. */
const identity = { title: { at: '/payload/title' }, starts_at: { at: '/payload/startTime' } };

/** Cal.com signs no time, and has no id. */
export const CAL_COM = preset(
  'Cal.com',
  { kind: 'hmac', header: 'X-Cal-Signature-256', encoding: 'hex', signed: ['{body}'] },
  {
    rules: [
      {
        when: [kind('BOOKING_CREATED', 'BOOKING_RESCHEDULED')],
        do: 'upsert',
        event: {
          ...identity,
          ends_at: { at: '/payload/endTime' },
          url: { at: '/payload/metadata/videoCallUrl' },
        },
      },
      { when: [kind('BOOKING_CANCELLED', 'BOOKING_REJECTED'), hasSeats], do: 'ignore' },
      { when: [kind('BOOKING_CANCELLED', 'BOOKING_REJECTED')], do: 'cancel', event: identity },
    ],
  },
);
