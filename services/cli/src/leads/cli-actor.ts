import type { Actor } from '@sluice/contract/change';

/** The author of changes on the command line, which has no sign-in. The audit log also has the user and the host. */
export const CLI_ACTOR: Actor = { type: 'system', id: 'cli' };
