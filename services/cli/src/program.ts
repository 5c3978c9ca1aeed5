import { printableLines } from '@sluice/runtime/telemetry/printable';
import { Command } from 'commander';
import { addAccountCreate } from './commands/account-create.ts';
import { addAccountList } from './commands/account-list.ts';
import { addAccountSetPlan } from './commands/account-set-plan.ts';
import { addDeadLettersDrop, addDeadLettersList, addDeadLettersRetry } from './commands/dead-letters.ts';
import { addDeliveriesList } from './commands/deliveries-list.ts';
import { addEventsList } from './commands/events-list.ts';
import { addKeyCreate } from './commands/key-create.ts';
import { addKeyList } from './commands/key-list.ts';
import { addKeyRevoke } from './commands/key-revoke.ts';
import { addMemberResetTwoFactor } from './commands/member-reset-two-factor.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOperatorGrant, addOperatorList, addOperatorRevoke } from './commands/operators.ts';
import { addOwnerLink } from './commands/owner-link.ts';
import { addSecretsReseal } from './commands/secrets-reseal.ts';
import { addSend } from './commands/send.ts';
import { addShardsSet } from './commands/shards-set.ts';
import { addSourceCreate } from './commands/source-create.ts';
import { addSourceEndOverlap } from './commands/source-end-overlap.ts';
import { addSourceList } from './commands/source-list.ts';
import { addSourceRotateSecret } from './commands/source-rotate-secret.ts';
import { addSourceShow } from './commands/source-show.ts';
import { addSourceSwitch } from './commands/source-switch.ts';
import type { Context } from './context.ts';

type AddCommand = (parent: Command, context: Context) => void;

/** The commands, by the group that they stand in. */
const GROUPS: readonly (readonly [name: string, about: string, commands: readonly AddCommand[]])[] = [
  [
    'source',
    'sources: who may send events',
    [
      addSourceCreate,
      addSourceList,
      addSourceShow,
      addSourceRotateSecret,
      addSourceEndOverlap,
      addSourceSwitch,
    ],
  ],
  ['events', 'the events that a source keeps', [addEventsList]],
  ['deliveries', 'the delivery log: what was sent and what became of it', [addDeliveriesList]],
  [
    'dead-letters',
    'actions that could not be applied',
    [addDeadLettersList, addDeadLettersRetry, addDeadLettersDrop],
  ],
  ['key', 'API keys', [addKeyCreate, addKeyList, addKeyRevoke]],
  [
    'operator',
    'users who see what belongs to no single account',
    [addOperatorList, addOperatorGrant, addOperatorRevoke],
  ],
  ['member', 'people who sign in to the dashboard', [addMemberResetTwoFactor]],
  ['secrets', 'how signing secrets and keys of second factors are encrypted', [addSecretsReseal]],
  ['shards', 'how accounts are spread over Redis', [addShardsSet]],
  ['account', 'accounts and their plans', [addAccountCreate, addAccountList, addAccountSetPlan]],
];

const ABOUT = `
Everything but send works on the stores that REDIS_URL and MONGO_URL name, or that npm start with the same DATA_DIR
has running. Data goes to stdout, all else to stderr. Tables cut long texts; --json shows all.

Examples:
  sluice source create --name "Booking platform"
  sluice deliveries list --source src_… --limit 20
  sluice send upsert --url https://…/src_… --secret-file secret.txt --title "Open day" --starts-at 2026-12-01T18:00Z

Exit codes: 0 done, 1 failed, 2 wrong usage, 75 try again later.`;

/** Builds the command line. Throws CommanderError instead of ending the process. */
export function createProgram(context: Context): Command {
  const { stdout, stderr } = context.streams;
  const program = new Command('sluice')
    .description(
      'Manage sources, keys and accounts of Sluice; look at events and deliveries; send signed actions.',
    )
    .addHelpText('after', ABOUT)
    .showHelpAfterError('Add --help for the options and an example.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      // It quotes the arguments.
      writeErr: (text) => void stderr.write(printableLines(text)),
    });
  for (const [name, about, commands] of GROUPS) {
    const group = program.command(name).description(about);
    for (const add of commands) add(group, context);
  }
  addOwnerLink(program, context);
  addMigrate(program, context);
  addSend(program, context);
  return program;
}
