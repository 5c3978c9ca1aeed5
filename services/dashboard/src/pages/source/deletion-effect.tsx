import { Ago } from '../../ui/ago.tsx';
import dialog from '../../ui/dialog.module.css';

export interface Recent {
  readonly accepted_24h: number;
  readonly last_delivery_at: string | null;
}

interface DeletionEffectProps {
  readonly noun: 'source' | 'channel';
  readonly of: Recent;
  readonly now: string;
}

/** Describes the effect of the deletion of a source or channel. */
export function DeletionEffect({
  noun,
  of: { accepted_24h: accepted, last_delivery_at: last },
  now,
}: DeletionEffectProps) {
  return (
    <div className={dialog.effect}>
      <p>
        The next request to its URL gets <strong>404 Source not found</strong>, and {now}. A deleted {noun}{' '}
        cannot be restored.
      </p>
      <p>
        Requests that were accepted before are still applied. Its deliveries stay in the log until they
        expire.
      </p>
      {last !== null && (
        <p className="dimmed">
          {accepted === 1 ? '1 request was' : `${accepted.toLocaleString('en')} requests were`} accepted in
          the last 24 hours. The last delivery arrived <Ago at={last} />.
        </p>
      )}
    </div>
  );
}
