import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Tip } from '../../ui/tip.tsx';
import { RotateDialog } from '../rotate/rotate-dialog.tsx';
import { OverlapNote } from './overlap-note.tsx';
import classes from './set-up.module.css';
import { useSecret } from './use-secret.ts';

const MASK = 'whsec_••••••••••••••••••••••••';

interface SecretFieldProps {
  /** The kind of source that the secret belongs to. */
  readonly what?: 'source' | 'channel';
  readonly source: SourceWithActivity;
  readonly mayChange: boolean;
}

/** Shows the signing secret: masked until revealed, and masked again after 30 s. */
export function SecretField({ what = 'source', source, mayChange }: SecretFieldProps) {
  const { secret, error, isPending, reveal, hide, read } = useSecret(source.source_id);
  const [rotating, rotate] = useDisclosure(false);
  return (
    <>
      <div className={classes.value}>
        <code className={classes.box} data-testid="signing-secret">
          {secret ?? MASK}
        </code>
        {mayChange && (
          <>
            <Tip label={secret === null ? 'Reveal for 30 seconds' : 'Hide'}>
              <ActionIcon
                variant="subtle"
                color="gray"
                loading={isPending}
                aria-label={secret === null ? 'Reveal signing secret' : 'Hide signing secret'}
                onClick={secret === null ? reveal : hide}
              >
                <Icon name={secret === null ? 'eye' : 'eyeOff'} />
              </ActionIcon>
            </Tip>
            <CopyButton text={read} what="signing secret" />
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="rotate" size={15} />}
              onClick={rotate.open}
            >
              Rotate secret
            </Button>
          </>
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
      {error !== null && <ErrorNote error={error} onRetry={reveal} />}
      {rotating && (
        <RotateDialog
          what={what}
          source={source}
          onClose={() => {
            hide();
            rotate.close();
          }}
        />
      )}
    </>
  );
}
