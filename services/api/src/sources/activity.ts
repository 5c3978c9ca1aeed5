import { HOUR_MS } from '@sluice/contract/time/durations';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { ActivityHour } from '@sluice/dashboard-api/sources';
import type { ActivitySlot } from '@sluice/monitoring/read-activity';
import type { RouteDeps } from '../parts.ts';

/** A source's activity in the last 24 hours. */
export interface SourceActivity {
  readonly activity: ActivityHour[];
  readonly accepted_24h: number;
  readonly refused_24h: number;
  readonly last_delivery_at: string | null;
}

const HOURS = 24;

/** The activity of each source, in the given order. */
export async function sourceActivity(
  { activityReader, now }: RouteDeps,
  sourceIds: readonly string[],
): Promise<SourceActivity[]> {
  const to = now();
  const first = (Math.floor(to / HOUR_MS) - HOURS + 1) * HOUR_MS;
  const [last, slots] = await Promise.all([
    activityReader.lastDeliveries(sourceIds),
    Promise.all(sourceIds.map((sourceId) => activityReader.read(sourceId, 'hours', first, to + 1))),
  ]);
  return sourceIds.map((_, index) => {
    const hours = hoursOf(slots[index] ?? [], first);
    return {
      activity: hours,
      accepted_24h: hours.reduce((sum, { accepted }) => sum + accepted, 0),
      refused_24h: hours.reduce((sum, { refused }) => sum + refused, 0),
      last_delivery_at: instantOrNull(last[index]),
    };
  });
}

function hoursOf(slots: readonly ActivitySlot[], first: number): ActivityHour[] {
  const byHour = new Map(slots.map(({ at, counts }) => [at, counts]));
  return Array.from({ length: HOURS }, (_, hour) => {
    const at = first + hour * HOUR_MS;
    let [accepted, refused] = [0, 0];
    for (const [name, count] of byHour.get(at) ?? []) {
      if (name === 's:200') accepted += count;
      else if (name.startsWith('s:')) refused += count;
    }
    return { at: formatInstant(at), accepted, refused };
  });
}
