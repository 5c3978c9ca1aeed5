import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Ago } from '../../ui/ago.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { RotateDialog } from '../rotate/rotate-dialog.tsx';
import { MaskedSecret } from './masked-secret.tsx';
import { OverlapNote } from './overlap-note.tsx';
import classes from './set-up.module.css';
import { useSecret } from './use-secret.ts';

interface SecretFieldProps {
  /** The kind of source that the secret belongs to. */
  readonly what?: 'source' | 'channel';
  readonly source: SourceWithActivity;
  readonly mayChange: boolean;
}

/** Shows the signing secret: masked until revealed, and masked again after 30 s. */
export function SecretField({ what = 'source', source, mayChange }: SecretFieldProps) {
  const { error, isPending, ...shown } = useSecret(source.source_id);
  const [rotating, rotate] = useDisclosure(false);
  return (
    <>
      <div className={classes.value}>
        <MaskedSecret
          what="signing secret"
          testId="signing-secret"
          shown={shown}
          isPending={isPending}
          mayReveal={mayChange}
        />
        {mayChange && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="rotate" size={15} />}
            onClick={rotate.open}
          >
            Rotate secret
          </Button>
        )}
        <span className="dimmed small">
          {source.secret_rotated_at === null ? 'set ' : 'rotated '}
          <Ago at={source.secret_rotated_at ?? source.created_at} />
          {!mayChange && '. Only owners and admins can see it.'}
        </span>
      </div>
      {source.overlap_until !== null && (
        <OverlapNote source={source} until={source.overlap_until} mayChange={mayChange} />
      )}
      {error !== null && <ErrorNote error={error} onRetry={shown.reveal} />}
      {rotating && (
        <RotateDialog
          what={what}
          source={source}
          onClose={() => {
            shown.hide();
            rotate.close();
          }}
        />
      )}
    </>
  );
}
