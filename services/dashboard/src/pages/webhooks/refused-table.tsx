import type { RefusedWebhook } from '@sluice/dashboard-api/webhooks';
import { Ago } from '../../ui/ago.tsx';
import table from '../../ui/table.module.css';

/** Creates that were rejected. Platforms often say nothing about them to their user. */
export function RefusedTable({ refused }: { readonly refused: readonly RefusedWebhook[] }) {
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>API key</th>
          <th>URL</th>
          <th>Why, and what to do</th>
          <th>Times</th>
          <th>Last</th>
        </tr>
      </thead>
      <tbody>
        {refused.map((one) => (
          <tr key={one.refused_id}>
            <td>
              {one.key.name}
              {one.client !== null && <div className="dimmed small">{one.client}</div>}
            </td>
            <td data-label="URL">{one.target_url ?? <span className="dimmed">not read</span>}</td>
            <td data-label="Why">{one.detail}</td>
            <td data-label="Times" className="number">
              {one.count}
            </td>
            <td data-label="Last">
              <Ago at={one.last_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
