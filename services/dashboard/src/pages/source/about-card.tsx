import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Card } from '../../ui/page.tsx';
import classes from './settings.module.css';

interface AboutCardProps {
  readonly what: 'source' | 'channel';
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The id of a source or channel, and when it was created. */
export function AboutCard({ what, id, createdAt }: AboutCardProps) {
  return (
    <Card title={`About this ${what}`}>
      <dl className={classes.about}>
        <dt>{what === 'source' ? 'Source' : 'Channel'} id</dt>
        <dd>
          <code>{id}</code> <CopyButton text={id} what={`${what} id`} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Ago at={createdAt} />
        </dd>
      </dl>
    </Card>
  );
}
