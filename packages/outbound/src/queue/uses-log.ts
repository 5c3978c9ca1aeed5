/**
 * Whether changes go into a log of their account that each subscription reads from its cursor on, in place of a mailbox a subscription. It is to
 * replace the mailboxes and cannot do all that they can yet: no tests, no sending again, no list of what waits. So it is on for the
 * bench and for its own tests only, and is no setting.
 */
export function usesLog(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env.OUTBOUND_LOG === '1';
}
