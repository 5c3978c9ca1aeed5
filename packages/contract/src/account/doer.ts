/** The author of a change and their address, as the audit log shows them. */
export interface Doer {
  readonly actor:
    | { readonly user_id: string; readonly email: string }
    | { readonly key_id: string; readonly name: string };
  /** IP address. */
  readonly address: string;
}
