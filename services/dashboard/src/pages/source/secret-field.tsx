import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source, SourceWithActivity } from '@sluice/dashboard-api/sources';
import { setUpOf } from '@sluice/signature/presets/set-up';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ConfirmButton } from '../../ui/dialog-parts.tsx';
import { Icon, Tip } from '../../ui/icons.tsx';
import { dialogOnDemand } from '../../ui/on-demand.tsx';
import { useShownSecret } from '../../ui/secrets.tsx';
import { ErrorNote, Note } from '../../ui/states.tsx';
import { ENDPOINTS_SHOWN } from './endpoint.ts';
import classes from './set-up.module.css';

const PasteSecretDialog = dialogOnDemand(
  async () => (await import('./paste-secret-dialog.tsx')).PasteSecretDialog,
  { afresh: true },
);
const RotateDialog = dialogOnDemand(async () => (await import('./rotate-dialog.tsx')).RotateDialog, {
  afresh: true,
});

interface SecretFieldProps {
  readonly source: SourceWithActivity;
  readonly mayChange: boolean;
}

/** Shows the signing secret: masked until revealed, and masked again after 30 s. */
export function SecretField({ source, mayChange }: SecretFieldProps) {
  const { error, isPending, ...shown } = useSecret(source.source_id);
  const [rotating, rotate] = useDisclosure(false);
  const [pasting, paste] = useDisclosure(false);
  const closing = (dialog: { readonly close: () => void }) => () => {
    shown.hide();
    dialog.close();
  };
  const setUp = setUpOf(source.sender);
  // The first secret of each source is ours, which such a platform cannot use.
  const isNeeded = setUp?.secret === 'theirs' && source.secret_rotated_at === null;
  return (
    <>
      <div className="row">
        <MaskedSecret
          what="signing secret"
          testId="signing-secret"
          shown={shown}
          isPending={isPending}
          mayReveal={mayChange}
        />
        {mayChange && setUp !== undefined && (
          <Button variant={isNeeded ? 'filled' : 'default'} size="xs" onClick={paste.open}>
            Paste secret
          </Button>
        )}
        {mayChange && setUp?.secret !== 'theirs' && (
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
      {mayChange && (
        <>
          <PasteSecretDialog opened={pasting} source={source} onClose={closing(paste)} />
          <RotateDialog opened={rotating} source={source} onClose={closing(rotate)} />
        </>
      )}
    </>
  );
}

const MASK = 'whsec_••••••••••••••••••••••••';

interface MaskedSecretProps {
  /** Names the secret: "signing secret". */
  readonly what: string;
  readonly testId: string;
  readonly shown: ReturnType<typeof useShownSecret>;
  readonly isPending: boolean;
  readonly mayReveal: boolean;
}

/** A secret with buttons: masked until revealed, and masked again after 30 s. */
export function MaskedSecret({ what, testId, shown, isPending, mayReveal }: MaskedSecretProps) {
  const { secret, reveal, hide, read } = shown;
  const isHidden = secret === null;
  return (
    <span className="line">
      <code className={`${classes.box} ${isHidden ? 'ellipsis' : ''}`} data-testid={testId}>
        {secret ?? MASK}
      </code>
      {mayReveal && (
        <>
          <Tip label={isHidden ? 'Reveal for 30 seconds' : 'Hide'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              loading={isPending}
              aria-label={`${isHidden ? 'Reveal' : 'Hide'} ${what}`}
              onClick={isHidden ? reveal : hide}
            >
              <Icon name={isHidden ? 'eye' : 'eyeOff'} />
            </ActionIcon>
          </Tip>
          <CopyButton text={read} what={what} />
        </>
      )}
    </span>
  );
}

interface OverlapNoteProps {
  readonly source: Source;
  /** The time when the old secret expires. */
  readonly until: string;
  readonly mayChange: boolean;
}

/** Shows that two secrets are accepted. An admin can end the overlap. */
function OverlapNote({ source, until, mayChange }: OverlapNoteProps) {
  const end = useWrite(ROUTES.sources.endOverlap, ENDPOINTS_SHOWN);
  const params = { sourceId: source.source_id };
  return (
    <Note tone="warn">
      The old secret still works. It expires <Ago at={until} />.{' '}
      {mayChange && (
        <ConfirmButton
          label="End the overlap now"
          button={{ size: 'compact-sm' }}
          title="End the overlap now?"
          confirm="End the overlap"
          change={end}
          onConfirm={(close) => end.mutate({ params }, { onSuccess: close })}
        >
          <p>
            Requests signed with the old secret get <strong>401</strong> immediately, on every replica. The
            current secret does not change.
          </p>
        </ConfirmButton>
      )}
    </Note>
  );
}

/** Reads the signing secret of a source or channel and keeps it while it is shown. */
export function useSecret(sourceId: string) {
  const { mutateAsync, reset, error, isPending } = useWrite(ROUTES.sources.revealSecret);
  const shown = useShownSecret(async () => {
    const { signing_secret: text } = await mutateAsync({ params: { sourceId } });
    reset();
    return text;
  });
  return { ...shown, error, isPending };
}
