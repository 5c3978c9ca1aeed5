import type { Outcome, UnappliedCode } from '@sluice/contract/delivery/delivery';
import type { PresetName } from '@sluice/signature/presets/presets';

type Body = object | string;

/** The requests of a platform in their order, and the events that are there at the end. */
export interface Life {
  /** Uses the mapping on the page of the preset. */
  readonly usesExample?: true;
  readonly steps: readonly (readonly [
    what: string,
    body: Body,
    outcome: Outcome,
    headers?: Readonly<Record<string, string>>,
  ])[];
  /** The codes of those that were not applied, in their order. Absent: all were. */
  readonly unapplied?: readonly UnappliedCode[];
  /** Title, start, status, and location and URL if there are any. */
  readonly events: readonly (readonly string[])[];
}

/** The bodies have the form that the pages in docs/senders name. Their contents are made up. */

const uriOf = (start: string) => `https://api.calendly.com/scheduled_events/${start}`;
const calendly = (event: string, start: string, changed: object = {}, invitee: object = {}) => ({
  event,
  created_at: '2027-01-04T09:00:00.000000Z',
  created_by: 'https://api.calendly.com/users/AAAA',
  payload: {
    ...{ name: 'Ada Example', email: 'ada@example.com', status: 'active', timezone: 'Europe/Berlin' },
    ...{ old_invitee: null, new_invitee: null, rescheduled: false, questions_and_answers: [] },
    scheduled_event: {
      ...{
        uri: uriOf(start),
        name: 'Introduction',
        status: 'active',
      },
      ...{ start_time: start, end_time: start.replace(':00:00.', ':30:00.') },
      location: { type: 'zoom', status: 'pushed', join_url: 'https://zoom.example/j/1' },
      ...{ invitees_counter: { total: 1, active: 1, limit: 1 }, ...changed },
    },
    ...invitee,
  },
});
const FIRST = '2027-02-01T09:00:00.000000Z';
const SECOND = '2027-02-02T09:00:00.000000Z';
const gone = { status: 'canceled', invitees_counter: { total: 1, active: 0, limit: 1 } };
const group = {
  uri: uriOf('group'),
  name: 'Group class',
  invitees_counter: { total: 2, active: 1, limit: 5 },
};

const calCom = (triggerEvent: string, startTime: string, changed: object = {}) => ({
  triggerEvent,
  createdAt: '2027-01-04T09:00:00.000Z',
  payload: {
    ...{ type: '30min', title: '30min between Ada and Bob', additionalNotes: '', customInputs: {} },
    ...{ startTime, endTime: startTime.replace(':00:00', ':30:00'), location: 'integrations:daily' },
    organizer: { name: 'Bob', email: 'bob@example.com', timeZone: 'Europe/Berlin' },
    attendees: [{ name: 'Ada', email: 'ada@example.com', timeZone: 'Asia/Kolkata' }],
    ...{ uid: `uid-${startTime}`, seatsPerTimeSlot: null, status: 'ACCEPTED', ...changed },
  },
});
const video = { metadata: { videoCallUrl: 'https://app.cal.example/video/1' } };

const ticketTailor = (event: string, changed: object = {}) => ({
  ...{ id: `wh_${event}_${Object.keys(changed)}`, created_at: '2027-01-04 09:00:00', event },
  resource_url: 'https://api.tickettailor.com/v1/events/ev_1',
  payload: {
    ...{ object: 'event', id: 'ev_1', name: 'Autumn concert', currency: 'eur', description: null },
    checkout_url: 'https://www.tickettailor.com/checkout/view-event/id/1/chk/a/',
    start: { date: '2027-02-01', iso: '2027-02-01T19:30:00+01:00', time: '19:30', timezone: '+01:00' },
    end: { date: '2027-02-01', iso: '2027-02-01T22:00:00+01:00', time: '22:00', timezone: '+01:00' },
    ...{ venue: { name: 'Town hall', postal_code: '10115' }, ...changed },
  },
});

const typeform = (event_id: string, day?: string) => ({
  ...{ event_id, event_type: 'form_response' },
  form_response: {
    ...{ form_id: 'lT4Z3j', token: `token-${event_id}`, submitted_at: '2027-01-04T09:00:00Z' },
    answers: [
      { type: 'text', text: 'Lecture', field: { id: 'a', type: 'short_text', ref: 'topic' } },
      ...(day ? [{ type: 'date', date: day, field: { id: 'b', type: 'date', ref: 'day' } }] : []),
    ],
  },
});

const github = (action: string, due_on: string | null) => ({
  action,
  milestone: { id: 7, number: 1, title: 'v1.0', due_on, html_url: 'https://github.com/acme/app/milestone/1' },
  repository: { id: 1, full_name: 'acme/app' },
});
const DUE = '2027-03-01T08:00:00Z';

const stripe = (type: string, trial_end: unknown) => ({
  ...{ id: `evt_${type}_${trial_end}`, object: 'event', type, created: 1_798_880_400 },
  data: { object: { id: 'sub_1', object: 'subscription', status: 'trialing', trial_end } },
});

const shopify = (day: string) => ({
  ...{ id: 450_789_469, name: '#1001', note_attributes: [{ name: 'day', value: day }], line_items: [] },
});
const topic = (name: string) => ({ 'X-Shopify-Topic': name });

const sluice = (action: string, starts_at: string) => ({ action, event: { title: 'Yoga', starts_at } });

export const LIVES: Readonly<Partial<Record<PresetName, Life>>> = {
  calendly: {
    steps: [
      ['made', calendly('invitee.created', FIRST), 'created'],
      [
        'moved',
        calendly('invitee.created', SECOND, {}, { old_invitee: `${uriOf(FIRST)}/invitees/A` }),
        'created',
      ],
      ['left the old date', calendly('invitee.canceled', FIRST, gone, { rescheduled: true }), 'ignored'],
      ['canceled', calendly('invitee.canceled', SECOND, gone), 'cancelled'],
      ['made in a group', calendly('invitee.created', FIRST, group), 'created'],
      ['canceled by one of a group', calendly('invitee.canceled', FIRST, group), 'ignored'],
      ['foreign', { event: 'routing_form_submission.created', payload: {} }, 'ignored'],
      ['broken', calendly('invitee.created', 'soon'), 'failed'],
    ],
    unapplied: ['ignored_by_rule', 'ignored_by_rule', 'no_rule', 'mapping_failed'],
    events: [
      ['Introduction', '2027-02-02T09:00:00.000Z', 'cancelled', 'https://zoom.example/j/1'],
      ['Group class', '2027-02-01T09:00:00.000Z', 'upcoming', 'https://zoom.example/j/1'],
    ],
  },
  'cal-com': {
    steps: [
      ['made', calCom('BOOKING_CREATED', '2027-02-01T09:00:00Z', video), 'created'],
      [
        'moved',
        calCom('BOOKING_RESCHEDULED', '2027-02-02T09:00:00Z', {
          ...video,
          rescheduleUid: 'uid-2027-02-01T09:00:00Z',
        }),
        'created',
      ],
      [
        'cancelled',
        calCom('BOOKING_CANCELLED', '2027-02-02T10:00:00+01:00', {
          uid: 'uid-2027-02-02T09:00:00Z',
          status: 'CANCELLED',
        }),
        'cancelled',
      ],
      [
        'left by a guest',
        calCom('BOOKING_CANCELLED', '2027-02-01T09:00:00Z', { seatsPerTimeSlot: 5 }),
        'ignored',
      ],
      ['foreign', { triggerEvent: 'PING', createdAt: '2027-01-04T09:00:00.000Z', payload: {} }, 'ignored'],
      ['broken', { triggerEvent: 'BOOKING_CREATED', payload: { title: 7, startTime: null } }, 'failed'],
    ],
    unapplied: ['ignored_by_rule', 'no_rule', 'mapping_failed'],
    events: [
      [
        '30min between Ada and Bob',
        '2027-02-02T09:00:00.000Z',
        'cancelled',
        'https://app.cal.example/video/1',
      ],
    ],
  },
  'ticket-tailor': {
    steps: [
      ['made', ticketTailor('EVENT.CREATED'), 'created'],
      [
        'moved',
        ticketTailor('EVENT.UPDATED', { start: { iso: '2027-02-08T19:30:00+01:00' }, end: null }),
        'updated',
      ],
      ['deleted', ticketTailor('EVENT.DELETED'), 'deleted'],
      ['foreign', ticketTailor('ORDER.CREATED'), 'ignored'],
      ['broken', ticketTailor('EVENT.CREATED', { start: '2027' }), 'failed'],
    ],
    unapplied: ['no_rule', 'mapping_failed'],
    events: [],
  },
  typeform: {
    usesExample: true,
    steps: [
      ['made', typeform('01A', '2027-07-01'), 'created'],
      ['foreign', { event_id: '01B', event_type: 'form_response_partial' }, 'ignored'],
      ['broken', typeform('01C'), 'failed'],
    ],
    unapplied: ['no_rule', 'mapping_failed'],
    events: [['Lecture', '2027-07-01T16:00:00.000Z', 'upcoming']],
  },
  github: {
    usesExample: true,
    steps: [
      ['made', github('created', DUE), 'created'],
      ['moved', github('edited', '2027-04-01T07:00:00Z'), 'updated'],
      ['closed', github('closed', '2027-04-01T07:00:00Z'), 'cancelled'],
      ['without a date', github('created', null), 'ignored'],
      ['foreign', { zen: 'Design for failure.', hook_id: 1 }, 'ignored'],
      ['broken', '{"action":"created",', 'failed'],
    ],
    unapplied: ['no_rule', 'no_rule', 'mapping_failed'],
    events: [
      [
        'v1.0',
        '2027-04-01T07:00:00.000Z',
        'cancelled',
        'acme/app',
        'https://github.com/acme/app/milestone/1',
      ],
    ],
  },
  stripe: {
    usesExample: true,
    steps: [
      ['made', stripe('customer.subscription.created', 1_804_154_400), 'created'],
      ['moved', stripe('customer.subscription.updated', 1_804_240_800), 'updated'],
      ['deleted', stripe('customer.subscription.deleted', 1_804_240_800), 'deleted'],
      [
        'foreign',
        { id: 'evt_1', object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found' },
        'ignored',
      ],
      ['broken', stripe('customer.subscription.created', 'never'), 'failed'],
    ],
    unapplied: ['no_rule', 'mapping_failed'],
    events: [],
  },
  shopify: {
    usesExample: true,
    steps: [
      ['made', shopify('2027-07-01'), 'created', topic('orders/create')],
      ['moved', shopify('2027-07-02'), 'updated', topic('orders/updated')],
      ['cancelled', shopify('2027-07-02'), 'cancelled', topic('orders/cancelled')],
      ['foreign', { id: 1, title: 'Mug' }, 'ignored', topic('products/create')],
      ['broken', shopify('1 July'), 'failed', topic('orders/create')],
    ],
    unapplied: ['no_rule', 'mapping_failed'],
    events: [['#1001', '2027-07-02T08:00:00.000Z', 'cancelled']],
  },
  'standard-webhooks': {
    steps: [
      ['made', sluice('upsert', '2027-02-01T09:00:00Z'), 'created'],
      ['cancelled', sluice('cancel', '2027-02-01T09:00:00Z'), 'cancelled'],
      ['deleted', sluice('delete', '2027-02-01T09:00:00Z'), 'deleted'],
    ],
    events: [],
  },
};
