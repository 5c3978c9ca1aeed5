import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { Card } from '../../ui/page.tsx';
import layout from '../source/set-up.module.css';
import classes from './connect.module.css';
import { PLATFORMS } from './platforms.tsx';

/** The steps that connect a platform. The choice is in the address, so that a colleague gets the same page. */
export function Connect() {
  const [search, setSearch] = useSearchParams();
  const chosen = PLATFORMS.find(({ id }) => id === search.get('with')) ?? PLATFORMS[0];
  const baseUrl = window.location.origin;
  return (
    <Card title="Connect">
      <div className={layout.languages}>
        <SegmentedControl
          aria-label="Platform"
          data={PLATFORMS.map(({ id, label }) => ({ value: id, label }))}
          value={chosen.id}
          onChange={(id) => setSearch({ with: id }, { replace: true })}
        />
      </div>
      <p className={classes.about}>{chosen.about}</p>
      <ol className={classes.steps} aria-label={`Connect ${chosen.label}`}>
        {chosen.steps(baseUrl).map(({ title, body }) => (
          <li key={title}>
            <h3>{title}</h3>
            {body}
          </li>
        ))}
      </ol>
    </Card>
  );
}
