import type { Opened } from './seal.ts';

type Unopened = Exclude<Opened, { readonly status: 'opened' }>;

/** Explains why a sealed signing secret cannot be opened, with the operator's next step. It has fingerprints, and no key. */
export function whyUnopened(opened: Unopened): string {
  switch (opened.status) {
    case 'unknown_key':
      return (
        `The signing secret was encrypted with another key (fingerprint ${opened.keyId}, unknown_key). Put that key ` +
        'into SLUICE_SECRET_KEYS_OLD and run sluice secrets reseal; or, if it is lost, rotate the secret of the source (sluice source rotate-secret ID --lost-key).'
      );
    case 'damaged':
      return 'The encrypted signing secret was changed since it was stored (damaged). Rotate the secret of the source.';
  }
}

/** The same for the previous secret of a source, during the overlap in which it is accepted. */
export function whyPreviousUnopened(opened: Unopened): string {
  const end =
    'end the overlap (sluice source end-overlap ID) and run sluice secrets reseal again, which drops it.';
  switch (opened.status) {
    case 'unknown_key':
      return (
        `The previous signing secret, which is accepted until its overlap ends, was encrypted with another key (fingerprint ${opened.keyId}, ` +
        `unknown_key). Put that key into SLUICE_SECRET_KEYS_OLD and run sluice secrets reseal; or, if it is lost, ${end}`
      );
    case 'damaged':
      return `The encrypted previous signing secret was changed since it was stored (damaged). To go on, ${end}`;
  }
}

/** The same for the secret of a webhook subscription. */
export function whySubscriptionSecretUnopened(opened: Unopened): string {
  switch (opened.status) {
    case 'unknown_key':
      return (
        `The secret of the webhook subscription was encrypted with another key (fingerprint ${opened.keyId}, unknown_key). Put that key into ` +
        'SLUICE_SECRET_KEYS_OLD and run sluice secrets reseal; or, if it is lost, rotate the secret (sluice webhook rotate-secret ID).'
      );
    case 'damaged':
      return 'The encrypted secret of the webhook subscription was changed since it was stored (damaged). Rotate the secret.';
  }
}

/** The same for the secret of a channel's replies. */
export function whyReplySecretUnopened(opened: Unopened): string {
  switch (opened.status) {
    case 'unknown_key':
      return (
        `The secret of replies was encrypted with another key (fingerprint ${opened.keyId}, unknown_key). Put that key into ` +
        'SLUICE_SECRET_KEYS_OLD and run sluice secrets reseal; or, if it is lost, rotate the secret of replies (sluice channel rotate-reply-secret ID --lost-key).'
      );
    case 'damaged':
      return 'The encrypted secret of replies was changed since it was stored (damaged). Rotate the secret of replies.';
  }
}
