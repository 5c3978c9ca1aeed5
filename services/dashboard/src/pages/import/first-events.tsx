import type { PlannedRow } from '@sluice/import/read/plan-rows';
import table from '../../ui/table.module.css';

const SHOWN = 5;

/** Shows when the first events start and end, in UTC and in the zone of this browser, so that wrong hours are seen in time. */
export function FirstEvents({ rows }: { readonly rows: readonly PlannedRow[] }) {
  const events = rows
    .filter(({ row: { event }, checked }) => checked.verdict !== 'bad' && isTime(event.starts_at))
    .slice(0, SHOWN);
  if (events.length === 0) return null;
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <table className={table.table}>
      <caption className="dimmed small">The first events. Compare the hours with your file.</caption>
      <thead>
        <tr>
          <th>Title</th>
          <th>Time in {here}</th>
          <th>Time in UTC</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ row: { row, action, event } }) => (
          <tr key={`${row} ${action} ${event.starts_at}`}>
            <td data-label="Title">{event.title}</td>
            <td data-label={`Time in ${here}`}>{spanIn(event, here)}</td>
            <td data-label="Time in UTC">{spanIn(event, 'UTC')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isTime(text: string | undefined): text is string {
  return !Number.isNaN(Date.parse(text ?? ''));
}

function spanIn({ starts_at, ends_at }: PlannedRow['row']['event'], timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const start = new Date(starts_at ?? '');
  return isTime(ends_at) ? format.formatRange(start, new Date(ends_at)) : format.format(start);
}
