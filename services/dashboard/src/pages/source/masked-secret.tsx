import { ActionIcon } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Tip } from '../../ui/tip.tsx';
import type { useShownSecret } from '../../ui/use-shown-secret.ts';
import classes from './set-up.module.css';

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
    <span className={classes.line}>
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
