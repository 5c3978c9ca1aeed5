import { type Keyring, seal } from '@sluice/credentials/seal';
import { OWN_PRESET, type Sender } from '@sluice/signature/sender/sender';
import { describeSecretFault } from '@sluice/signature/sender/sender-key';
import type { Source } from '@sluice/store/sources/source';
import type { AuditedChange } from '../audit/audited.ts';
import { numbered } from '../sources/change-mapping.ts';
import { type ChangeSourceDeps, changeSource } from '../sources/change-source.ts';
import { newSecretFor } from '../sources/new-secret.ts';
import { showSecret } from './show-secret.ts';

export interface ChangeSenderDeps extends ChangeSourceDeps {
  readonly keyring: Keyring;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface NewSender {
  /** Null: the scheme of Sluice. A source that has a mapping for the same preset keeps it. */
  readonly sender: Sender | null;
  /** The secret that the sender has made. Absent: the current one stays if the sender can use it. */
  readonly secret?: string;
}

export type SenderChanged =
  /** `newSecret`: the secret that was made because the sender cannot use the current one. */
  | { readonly status: 'changed'; readonly source: Source; readonly newSecret?: string }
  | { readonly status: 'source_not_found' }
  | { readonly status: 'secret_unfit'; readonly detail: string };

/**
 * Replaces how the requests of a source are verified. Once this resolves, only the new sender is accepted. A replaced secret has
 * no overlap: the old one belongs to the other scheme. The mapping stays while the preset does.
 */
export async function changeSender(
  deps: ChangeSenderDeps,
  sourceId: string,
  { sender, secret }: NewSender,
): Promise<SenderChanged> {
  const fault = secret === undefined ? null : describeUnfit(sender, secret);
  if (fault !== null) return { status: 'secret_unfit', detail: fault };
  let made: string | undefined;
  const changed = await changeSource(deps, sourceId, (source) => {
    const next = nextSender(source, sender);
    made = secret === undefined && !isUsable(deps.keyring, source, sender) ? newSecretOf(sender) : undefined;
    const replacing = secret ?? made;
    if (replacing === undefined) return { sender: next };
    const sealed_secret = seal(deps.keyring, sourceId, replacing);
    return { sender: next, sealed_secret, secret_rotated_at: deps.now(), previous_secret: null };
  });
  if (changed.status !== 'changed') return { status: 'source_not_found' };
  return { status: 'changed', source: changed.source, ...(made !== undefined && { newSecret: made }) };
}

/** A mapping that an admin wrote must not be lost when they paste a secret again. */
function nextSender({ sender: before }: Source, sender: Sender | null): Sender | null {
  if (sender === null) return null;
  const kept = before?.preset === sender.preset ? before.mapping : undefined;
  return numbered(before, kept === undefined ? sender : { ...sender, mapping: kept });
}

/** `changeSender` with its audit entry, which names no part of a secret. */
export function auditedSenderChange(
  deps: ChangeSenderDeps,
  { source_id, name }: Source,
  change: NewSender,
): AuditedChange<SenderChanged> {
  const deed = { action: 'source.sender_changed', target: { id: source_id, name } } as const;
  return {
    intent: deed,
    work: () => changeSender(deps, source_id, change),
    deed(result) {
      if (result.status !== 'changed') return undefined;
      const { sender } = result.source;
      const isNewSecret = change.secret !== undefined || result.newSecret !== undefined;
      const parts = [
        sender?.preset ?? OWN_PRESET,
        ...(isNewSecret ? ['with a new secret'] : []),
        ...(sender?.mapping === undefined ? [] : [`mapping version ${sender.mapping_version}`]),
      ];
      return { ...deed, detail: parts.join(', ') };
    },
  };
}

const newSecretOf = (sender: Sender | null): string => newSecretFor(sender === null ? {} : { sender });

function isUsable(keyring: Keyring, source: Source, sender: Sender | null): boolean {
  const opened = showSecret(keyring, source);
  return opened.status === 'opened' && describeUnfit(sender, opened.secret) === null;
}

/** Why the secret does not fit the sender; null: it does. It repeats no part of the secret. */
export function describeUnfit(sender: Sender | null, secret: string): string | null {
  if (sender !== null) return describeSecretFault(sender.verify, secret);
  return OWN_SECRET.test(secret) ? null : 'Sluice makes the secrets of its own scheme. Leave the secret out.';
}

const OWN_SECRET = /^whsec_[0-9A-Za-z]{43}$/;
