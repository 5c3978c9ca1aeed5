import { printableLines } from '@sluice/runtime/telemetry/printable';
import { revisionOfSluice, versionOfSluice } from '@sluice/runtime/version';
import { Command } from 'commander';
import { addAccountCreate, addAccountList, addAccountSetPlan } from './commands/account.ts';
import { addChannelCreate, addChannelUpdate } from './commands/channel-settings.ts';
import { addConversationList, addConversationShow } from './commands/conversation.ts';
import { addConversationReply } from './commands/conversation-reply.ts';
import { addDeadLettersDrop, addDeadLettersList, addDeadLettersRetry } from './commands/dead-letters.ts';
import { addDeliveriesList, addDeliveriesShow } from './commands/deliveries.ts';
import { addDeliveriesTail } from './commands/deliveries-tail.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEventsList } from './commands/events-list.ts';
import { addImport } from './commands/import.ts';
import { addKeyCreate, addKeyList, addKeyRename, addKeyRevoke } from './commands/key.ts';
import { addKeyRotate } from './commands/key-rotate.ts';
import { addLeadCreate, addLeadStage, addLeadUpdate } from './commands/lead-change.ts';
import { addLeadImport } from './commands/lead-import.ts';
import { addLeadGet, addLeadList } from './commands/lead-list.ts';
import { addListen } from './commands/listen.ts';
import { addMemberResetTwoFactor } from './commands/member-reset-two-factor.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOperatorGrant, addOperatorList, addOperatorRevoke } from './commands/operators.ts';
import { addOwnerLink } from './commands/owner-link.ts';
import { addSecretsReseal } from './commands/secrets-reseal.ts';
import { addSend } from './commands/send.ts';
import { addShardsSet } from './commands/shards-set.ts';
import { addSign, addVerify } from './commands/sign-verify.ts';
import { addList, addShow } from './commands/source-list.ts';
import { addSourceMapping } from './commands/source-mapping.ts';
import { addChannelRotateReplySecret, addEndOverlap, addRotateSecret } from './commands/source-secrets.ts';
import { addSourceSender } from './commands/source-sender.ts';
import { addSourceCreate, addSourceUpdate } from './commands/source-settings.ts';
import { addChannelDelete, addSourceDelete, addSwitch } from './commands/source-switch.ts';
import { addTrigger } from './commands/trigger.ts';
import { addWebhookRecover, addWebhookRedeliver } from './commands/webhook-again.ts';
import { addWebhookCreate } from './commands/webhook-create.ts';
import { addWebhookDeliveries } from './commands/webhook-deliveries.ts';
import { addWebhookDiscard } from './commands/webhook-discard.ts';
import { addWebhookList, addWebhookShow } from './commands/webhook-list.ts';
import { addWebhookRotateSecret } from './commands/webhook-rotate-secret.ts';
import { addWebhookDelete, addWebhookSwitches } from './commands/webhook-switch.ts';
import { addWebhookTest } from './commands/webhook-test.ts';
import { addWebhookUpdate } from './commands/webhook-update.ts';
import { addCompletion } from './completion.ts';
import type { Context } from './context.ts';
import { CHANNELS, EVENT_SOURCES, type SourceFamily } from './source-family.ts';

type AddCommand = (parent: Command, context: Context) => void;

const of =
  (family: SourceFamily) =>
  (add: (parent: Command, context: Context, family: SourceFamily) => void): AddCommand =>
  (parent, context) =>
    add(parent, context, family);
const ofSource = of(EVENT_SOURCES);
const ofChannel = of(CHANNELS);

/** The commands by group. */
const GROUPS: readonly (readonly [name: string, help: string, commands: readonly AddCommand[]])[] = [
  [
    'source',
    'sources that may send events',
    [
      addSourceCreate,
      ofSource(addList),
      ofSource(addShow),
      addSourceUpdate,
      addSourceSender,
      addSourceMapping,
      ofSource(addRotateSecret),
      ofSource(addEndOverlap),
      ofSource(addSwitch),
      addSourceDelete,
    ],
  ],
  [
    'channel',
    'channels that may send conversations',
    [
      addChannelCreate,
      ofChannel(addList),
      ofChannel(addShow),
      addChannelUpdate,
      ofChannel(addRotateSecret),
      addChannelRotateReplySecret,
      ofChannel(addEndOverlap),
      ofChannel(addSwitch),
      addChannelDelete,
    ],
  ],
  ['events', 'the stored events of a source', [addEventsList]],
  [
    'deliveries',
    'the delivery log: each request and its outcome',
    [addDeliveriesList, addDeliveriesShow, addDeliveriesTail],
  ],
  [
    'dead-letters',
    'actions that could not be applied',
    [addDeadLettersList, addDeadLettersRetry, addDeadLettersDrop],
  ],
  [
    'lead',
    'leads and their stages',
    [addLeadList, addLeadGet, addLeadCreate, addLeadUpdate, addLeadStage, addLeadImport],
  ],
  [
    'conversation',
    'conversations of the channels',
    [addConversationList, addConversationShow, addConversationReply],
  ],
  [
    'webhook',
    'webhook subscriptions: where changes are sent to',
    [
      addWebhookCreate,
      addWebhookList,
      addWebhookShow,
      addWebhookUpdate,
      addWebhookSwitches,
      addWebhookDelete,
      addWebhookRotateSecret,
      addWebhookTest,
      addWebhookDeliveries,
      addWebhookRedeliver,
      addWebhookRecover,
      addWebhookDiscard,
    ],
  ],
  ['key', 'API keys', [addKeyCreate, addKeyList, addKeyRename, addKeyRotate, addKeyRevoke]],
  [
    'operator',
    'users who may see data of the whole installation',
    [addOperatorList, addOperatorGrant, addOperatorRevoke],
  ],
  ['member', 'people who sign in to the dashboard', [addMemberResetTwoFactor]],
  ['secrets', 'encryption of signing secrets and two-factor keys', [addSecretsReseal]],
  ['shards', 'distribution of accounts over Redis shards', [addShardsSet]],
  ['account', 'accounts and their plans', [addAccountCreate, addAccountList, addAccountSetPlan]],
];

const HELP = `
Commands for senders and integrators work on any machine. Those for operators use the stores of REDIS_URL and MONGO_URL, or those of
a running npm start with the same DATA_DIR. Data goes to stdout, everything else to stderr. Tables cut long texts; --json
prints everything. docs/command-line.md explains each command by task.

Examples:
  sluice send upsert --url https://…/src_… --secret-file secret.txt --title "Open day" --starts-at 2026-12-01T18:00Z
  SLUICE_URL=https://… SLUICE_API_KEY=slc_live_… sluice listen --forward-to http://localhost:3000/hook
  sluice source create --name "Booking platform"

Exit codes: 0 done, 1 failed, 2 wrong usage, 75 try again later.`;

/** Builds the command line. Throws CommanderError instead of ending the process. */
export function createProgram(context: Context): Command {
  const { stdout, stderr } = context.streams;
  const program = new Command('sluice')
    .description(
      'Send signed actions, receive live messages, and manage sources, channels, API keys and accounts of Sluice.',
    )
    .version(
      `${versionOfSluice()} (${revisionOfSluice()})`,
      '--version',
      'print the version and the commit of the build',
    )
    .addHelpText('after', HELP)
    .showHelpAfterError('Add --help to see the options and an example.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      // Escapes control characters, because errors quote the arguments.
      writeErr: (text) => void stderr.write(printableLines(text)),
    });
  program.commandsGroup("For senders, with a source's signing secret:");
  addSend(program, context);
  addSign(program, context);
  addVerify(program, context);
  program.commandsGroup('For integrators, with an API key:');
  addListen(program, context);
  addTrigger(program, context);
  addDoctor(program, context);
  program.commandsGroup('For operators, with the stores:');
  for (const [name, help, commands] of GROUPS) {
    const group = program.command(name).description(help);
    for (const add of commands) add(group, context);
  }
  addDeliveriesTail(program, context);
  addImport(program, context);
  addOwnerLink(program, context);
  addMigrate(program, context);
  program.commandsGroup('For all:');
  addCompletion(program, context.streams);
  return program;
}
