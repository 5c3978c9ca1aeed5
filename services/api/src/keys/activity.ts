import { HOUR_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import type { KeyWithActivity } from '@sluice/dashboard-api/keys';
import type { ActivityReader } from '@sluice/monitoring/read-activity';
import { bucketsOf } from '../overview/buckets.ts';
import { KEY_USES } from '../parts/last-used.ts';

const HOURS = 24;

/** A key's activity in the last 24 hours, from counters only. */
export async function keyActivity(
  {
    activityReader,
    now,
  }: { activityReader: Pick<ActivityReader, 'read' | 'countClients'>; now: () => number },
  keyId: string,
): Promise<Pick<KeyWithActivity, 'activity' | 'uses_24h' | 'clients_24h'>> {
  const to = now();
  const first = (Math.floor(to / HOUR_MS) - HOURS + 1) * HOUR_MS;
  const [slots, clients_24h] = await Promise.all([
    activityReader.read(keyId, 'hours', first, to + 1),
    activityReader.countClients(keyId, first, to + 1),
  ]);
  const activity = bucketsOf(slots, first, HOUR_MS, HOURS).map((counts, hour) => ({
    at: formatInstant(first + hour * HOUR_MS),
    uses: counts.get(KEY_USES) ?? 0,
  }));
  return { activity, uses_24h: activity.reduce((sum, { uses }) => sum + uses, 0), clients_24h };
}
