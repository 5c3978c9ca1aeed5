import type { KeyItem } from '@sluice/dashboard-api/keys';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import classes from './key-table.module.css';

export function KeyState({ item }: { readonly item: KeyItem }) {
  switch (item.state) {
    case 'active':
      return item.replaced ? (
        <span className={classes.lines}>
          <Chip tone="info" icon="rotate">
            replaced
          </Chip>
          <span className="small">
            ends <Ago at={item.expires_at} />
          </span>
        </span>
      ) : (
        <Chip tone="ok" icon="check">
          active
        </Chip>
      );
    case 'expired':
      return (
        <Chip tone="warn" icon="clock">
          expired
        </Chip>
      );
    case 'revoked':
      return (
        <span className={classes.lines}>
          <Chip tone="quiet" icon="cross">
            revoked
          </Chip>
          <span className="small">
            <Ago at={item.revoked_at} otherwise="" />
          </span>
        </span>
      );
  }
}
