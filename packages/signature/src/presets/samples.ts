import { DAY_MS, HOUR_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';

/** Made-up bodies in the form of each platform whose bodies its preset maps. `startsAt`, `endsAt`: ISO 8601 in UTC. */
const SAMPLES: Readonly<Record<string, (startsAt: string, endsAt: string) => object>> = {
  calendly: (start_time, end_time) => ({
    event: 'invitee.created',
    created_at: new Date().toISOString(),
    payload: {
      name: 'Ada Example',
      email: 'ada@example.com',
      rescheduled: false,
      scheduled_event: {
        uri: `https://api.calendly.com/scheduled_events/${start_time}`,
        name: 'Introduction',
        status: 'active',
        start_time,
        end_time,
        location: { type: 'physical', location: 'Room 7' },
        invitees_counter: { total: 1, active: 1, limit: 1 },
      },
    },
  }),
  'cal-com': (startTime, endTime) => ({
    triggerEvent: 'BOOKING_CREATED',
    createdAt: new Date().toISOString(),
    payload: {
      type: '30min',
      title: '30min between Ada and Bob',
      startTime,
      endTime,
      location: 'integrations:daily',
      uid: `uid-${startTime}`,
      metadata: { videoCallUrl: 'https://app.cal.example/video/1' },
    },
  }),
  'ticket-tailor': (starts, ends) => ({
    id: `wh_${starts}`,
    created_at: new Date().toISOString(),
    event: 'EVENT.CREATED',
    payload: {
      object: 'event',
      id: `ev_${starts}`,
      name: 'Autumn concert',
      start: { iso: starts },
      end: { iso: ends },
      venue: { name: 'Town hall' },
      checkout_url: 'https://www.tickettailor.com/checkout/1',
    },
  }),
};

/**
 * A body as the platform of a preset sends it, for an hour in a week; undefined: its preset maps none. `nowMs`: milliseconds since the
 * Unix epoch.
 */
export function sampleBody(preset: string, nowMs: number): object | undefined {
  const start = Math.ceil((nowMs + 7 * DAY_MS) / HOUR_MS) * HOUR_MS;
  return Object.hasOwn(SAMPLES, preset)
    ? SAMPLES[preset]?.(formatInstant(start), formatInstant(start + HOUR_MS))
    : undefined;
}
