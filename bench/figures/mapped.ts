import { formatInstant } from '@sluice/contract/time/instant';
import { PRESETS, senderOf } from '@sluice/signature/presets/presets';
import { signAs } from '@sluice/signature/sender/sign-as';
import { type FigureContext, type FigureResult, inRounds } from '../support/figure.ts';
import { startSluice } from '../support/pipeline.ts';
import { runThrough } from '../support/run-through.ts';
import { type Compose, signedUpsert, upsertFields } from '../support/sign-requests.ts';
import type { SourceExtras } from '../support/sources.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { type StoreName, storesAtHand, storeTitle } from '../support/store.ts';
import { count, formatTable, percent, ratio } from '../support/table.ts';

const WAYS = ['own', 'named', 'mapped'] as const;
type Way = (typeof WAYS)[number];

const WAY_NAMES: Readonly<Record<Way, string>> = {
  own: 'the scheme and body of Sluice',
  named: 'the same with an external_id',
  mapped: "Calendly's, by its mapping",
};

const SETTINGS: Readonly<Record<Way, { readonly extras?: SourceExtras; readonly compose?: Compose }>> = {
  own: {},
  named: { extras: { external_ids: true }, compose: namedUpsert },
  mapped: { extras: { sender: { ...senderOf('calendly'), mapping_version: 1 } }, compose: booking },
};

function namedUpsert(secret: string, event: number, number: number): ReturnType<Compose> {
  const fields = { ...upsertFields(event, String(number)), external_id: uriOf(event) };
  return signedUpsert(secret, fields);
}

const uriOf = (event: number): string => `https://api.calendly.com/scheduled_events/${event}`;

/** A booking whose place changes, in the form of test/pipeline/support/sender-lives.ts. */
function booking(secret: string, event: number, number: number): ReturnType<Compose> {
  const nowMs = Date.now();
  const sent = {
    event: 'invitee.created',
    created_at: formatInstant(nowMs),
    payload: {
      ...{ name: 'Ada Example', old_invitee: null, rescheduled: false },
      scheduled_event: {
        ...{ uri: uriOf(event), name: `Open day ${event}`, status: 'active' },
        ...{ start_time: '2027-03-01T17:00:00Z', end_time: '2027-03-01T19:00:00Z' },
        location: { type: 'physical', location: `Room ${number}` },
        invitees_counter: { total: 1, active: 1, limit: 1 },
      },
    },
  };
  const body = Buffer.from(JSON.stringify(sent));
  return { headers: signAs(PRESETS.calendly.verify, { secret, body, id: '', nowMs }), body };
}

/** The cost of an event from its request until it is applied and logged, by the way in which its sender writes it. */
export async function mappedFigure({ quick, ...context }: FigureContext): Promise<FigureResult> {
  const store = storesAtHand()[0] as StoreName;
  const settings = { actions: quick ? 2_000 : 15_000, connections: 32, warmUpSeconds: quick ? 0 : 5 };
  const runs = await inRounds(context.rounds ?? (quick ? 1 : 6), WAYS, (way) =>
    onStage(async (keep) => {
      const { extras, ...compose } = SETTINGS[way];
      const pipeline = await startSluice(keep, store, extras);
      const { cpuUs } = await runThrough(keep, pipeline, { ...settings, ...compose });
      const { ingress, worker } = cpuUs;
      return { ingress, worker, all: Object.values(cpuUs).reduce((sum, cost) => sum + cost, 0) };
    }),
  );
  const rows = WAYS.map((way) => {
    const costs = (['ingress', 'worker', 'all'] as const).flatMap((part) => {
      const own = runs.own.map((run) => run[part]);
      const ratios = runs[way].map((run, i) => run[part] / (own[i] as number));
      return [
        count(median(runs[way].map((run) => run[part]))),
        ratio(median(ratios)),
        percent(spread(ratios)),
      ];
    });
    return [WAY_NAMES[way], ...costs];
  });
  const head = [
    '',
    'ingress us',
    '/own',
    'spread',
    'worker us',
    '/own',
    'spread',
    'all us',
    '/own',
    'spread',
  ];
  return {
    tables: [{ title: `CPU us an event, ${storeTitle(store)}`, text: formatTable(head, rows) }],
    data: runs,
  };
}
