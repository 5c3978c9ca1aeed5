import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { Chip } from '../../ui/chip.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import classes from './ops.module.css';

/** Lists the operators. Only operators see this list. */
export function Operators() {
  const operators = useRead(ROUTES.ops.operators, {});
  return (
    <Card title="Operators">
      <p className="dimmed">
        Operators see here how many messages of all accounts wait for webhooks. Grant or revoke with the
        command line: <code>sluice operator grant EMAIL</code>, <code>sluice operator revoke EMAIL</code>.
      </p>
      <Loaded query={operators}>
        {({ items }) => (
          <table className={`${table.table} ${classes.inset}`}>
            <thead>
              <tr>
                <th>Name</th>
                <th>Email</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ user_id, email, name, self }) => (
                <tr key={user_id}>
                  <td>
                    {name} {self && <Chip tone="info">you</Chip>}
                  </td>
                  <td data-label="Email">{email}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Card>
  );
}
