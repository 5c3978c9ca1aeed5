import { DAY_MS, HOUR_MS, MINUTE_MS } from '@sluice/contract/durations';
import { useNow } from '../../ui/ago.tsx';
import { localTime, utc } from '../../ui/time.ts';

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
] as const;

/** How long a visitor has waited for a person: "waits 12 min". */
export function Waits({ since }: { readonly since: string }) {
  const waited = useNow() - Date.parse(since);
  const unit = UNITS.find(([length]) => waited >= length);
  return (
    <time dateTime={since} title={`${utc(since)}\n${localTime(since)}`} className="nowrap">
      waits {unit === undefined ? '< 1 min' : `${Math.floor(waited / unit[0])} ${unit[1]}`}
    </time>
  );
}
