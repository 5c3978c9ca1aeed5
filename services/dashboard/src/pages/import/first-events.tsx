import table from '../../ui/table.module.css';

export interface FirstEvent {
  readonly row: number;
  readonly title: string;
  /** ISO 8601. */
  readonly starts_at: string;
}

/** Shows when the first events start, in UTC and in the zone of this browser. */
export function FirstEvents({ events }: { readonly events: readonly FirstEvent[] }) {
  if (events.length === 0) return null;
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <table className={table.table}>
      <caption className="dimmed small">The first events. Compare the hours with your file.</caption>
      <thead>
        <tr>
          <th>Title</th>
          <th>Starts, {here}</th>
          <th>Starts, UTC</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ row, title, starts_at }) => (
          <tr key={row}>
            <td data-label="Title">{title}</td>
            <td data-label={`Starts, ${here}`}>{inZone(starts_at, here)}</td>
            <td data-label="Starts, UTC">{inZone(starts_at, 'UTC')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inZone(instant: string, timeZone: string): string {
  const options = { timeZone, dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(instant));
}
