import type { BodyStorage } from '@sluice/contract/delivery/body-storage';
import type { Sender } from '@sluice/signature/sender/sender';

export interface Source {
  readonly source_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly active: boolean;
  /** The signing secret, encrypted (credentials/seal.ts) with the source id as its context. */
  readonly sealed_secret: string;
  /** Starts at 1. Every change of the source or of its account's plan adds 1. */
  readonly version: number;
  /** Requests per second; null is the installation's default. */
  readonly rate_per_second: number | null;
  /** Burst size in requests; null is the installation's default. */
  readonly rate_burst: number | null;
  /** Selects the signed requests whose bodies are kept. */
  readonly body_storage: BodyStorage;
  /** Milliseconds since the Unix epoch. */
  readonly created_at: number;
  readonly secret_rotated_at: number | null;
  /** When it was made or its name was last changed. Absent: 0.1.0 made it. Milliseconds since the Unix epoch. */
  readonly renamed_at?: number;
  /** The secret that the last rotation replaced; null if there is none or it was deleted. */
  readonly previous_secret: PreviousSecret | null;
  /** Present once an admin has deleted it. Its document stays, because events and deliveries name it. */
  readonly deleted?: DeletedSource;
  /** Whether its bodies may have `external_id` and `replaces`. Absent: fields of these names are not read. */
  readonly external_ids?: boolean;
  /** How its requests are verified. Absent: by the scheme of Sluice. */
  readonly sender?: Sender;
  /** Absent: it sends events. */
  readonly kind?: 'channel';
  /** The URL that gets the replies of a channel; null: none. Only channels have it. */
  readonly reply_url?: string | null;
  /** The secret that signs a channel's replies, encrypted with `replySecretContext` as its context. */
  readonly sealed_reply_secret?: string;
  /** Older secrets that sign a channel's replies too, until they expire. Newest first. */
  readonly previous_reply_secrets?: readonly PreviousReplySecret[];
  /** Whether a channel makes a lead for a contact whose email no lead has. */
  readonly makes_leads?: boolean;
}

/** A source of conversations. Its `source_id` is the channel's id. */
export type Channel = Source & Required<Pick<Source, 'kind' | keyof ChannelSettings | 'sealed_reply_secret'>>;

/** The deletion of a source. */
export interface DeletedSource {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Whether its events stay; for a channel, its conversations. */
  readonly events: DeletedEvents;
}

/** Whether the events or conversations of a deleted source stay. */
export type DeletedEvents = 'keep' | 'delete';

/** A signing secret that was rotated. Times are milliseconds since the Unix epoch. */
export interface PreviousSecret {
  /** Encrypted, as `Source.sealed_secret`. */
  readonly sealed_secret: string;
  /** When the rotation replaced it. */
  readonly replaced_at: number;
  /**
   * Requests signed with it are accepted until then. Null: they get 401, and the secret is only recognised for the
   * log.
   */
  readonly accepted_until: number | null;
  /** When it may be deleted. */
  readonly forget_at: number;
}

/** A secret of replies that was rotated. */
export interface PreviousReplySecret {
  /** Encrypted, as `Source.sealed_reply_secret`. */
  readonly sealed_secret: string;
  /** Replies are signed with it until then. Milliseconds since the Unix epoch. */
  readonly expires_at: number;
}

/** A change of a source by an admin. */
export type SourceChange =
  | { readonly active: boolean }
  | {
      readonly sealed_secret: string;
      readonly secret_rotated_at: number;
      readonly previous_secret: PreviousSecret;
    }
  | { readonly previous_secret: PreviousSecret | null }
  | SenderChange
  | SourceDeletion
  | Required<Pick<Source, 'sealed_reply_secret' | 'previous_reply_secrets'>>
  | (SourceSettings & ChannelSettings);

/** Replaces how requests are verified; null: by the scheme of Sluice. The secret is replaced with it, if it has to be. */
export type SenderChange = { readonly sender: Sender | null } & (
  | object
  | { readonly sealed_secret: string; readonly secret_rotated_at: number; readonly previous_secret: null }
);

/**
 * Deletes a source. Nobody knows the new secrets, so nothing is accepted. Without the reply URL no reply is sent.
 */
export interface SourceDeletion
  extends Required<Pick<Source, 'deleted' | 'sealed_secret' | 'active'>>,
    Pick<Source, 'sealed_reply_secret' | 'previous_reply_secrets' | 'reply_url'> {
  readonly previous_secret: null;
}

export interface SourceSettings {
  readonly name?: string;
  readonly body_storage?: BodyStorage;
  readonly rate_per_second?: number | null;
  readonly rate_burst?: number | null;
  readonly external_ids?: boolean;
}

/** The settings that only a channel has. */
export interface ChannelSettings {
  readonly reply_url?: string | null;
  readonly makes_leads?: boolean;
}

/** The old and the new sealed text of a secret, and of the previous secret if there is one. `to` of null: it is dropped. */
export interface Resealed {
  readonly from: string;
  readonly to: string;
  readonly previous?: { readonly from: string; readonly to: string | null };
  /** The secret of a channel's replies. */
  readonly reply?: { readonly from: string; readonly to: string };
  /** Replaces the older secrets of replies. They are guarded by `version`, because they change with it alone. */
  readonly previousReplies?: { readonly to: readonly PreviousReplySecret[]; readonly version: number };
}
