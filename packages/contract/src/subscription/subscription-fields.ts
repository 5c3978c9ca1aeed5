import * as z from 'zod';
import { leadText as trimmedText } from '../lead/lead-fields.ts';
import { findEventKind, SUBSCRIBABLE_KINDS } from '../message/event-kinds.ts';
import { kindOf, objectExpected } from '../text/schema-parts.ts';
import { SUBSCRIPTION_MAX as MAX } from './subscription-limits.ts';

/** The schemas of a subscription's fields, with the messages for the client. */

export function targetUrl() {
  return trimmedText(MAX.target_url, '"https://hooks.example.com/1"').meta({
    description: 'Where the messages are sent to: https, without user name, password and fragment.',
  });
}

/** A kind, or `*`. Kinds that are sent without a subscription are rejected with the reason. */
export function eventName() {
  return trimmedText(MAX.event, '"lead.created"').superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });
}

function faultOf(name: string): string | undefined {
  if (name === '*' || SUBSCRIBABLE_KINDS.some((kind) => kind === name)) return undefined;
  const known = findEventKind(name);
  if (known !== undefined) return `${name} cannot be subscribed to. ${known.sentence}`;
  return `"${name.slice(0, 50)}" is not an event kind. Send some of: ${SUBSCRIBABLE_KINDS.join(', ')}; or "*".`;
}

/** Without repetitions, in their order. */
export function eventNames() {
  return z
    .array(eventName(), {
      error: ({ input }) =>
        `Must be an array of event kinds, not ${kindOf(input)}. Example: ["lead.created"]`,
    })
    .min(1, 'Empty. Send at least one event kind, or ["*"].')
    .max(MAX.events, `More than ${MAX.events} event kinds. Send ["*"].`)
    .overwrite((names) => [...new Set(names)]);
}

export function subscriptionName() {
  return trimmedText(MAX.name, '"Leads to Slack"');
}

const filterId = (example: string) => trimmedText(MAX.filter, example).nullable().optional();

/** Only changes with all of these values are sent. */
export function subscriptionFilter() {
  return z
    .strictObject(
      {
        source_id: filterId('"src_…"').meta({ description: 'Only events of this source.' }),
        channel_id: filterId('"chn_…"').meta({ description: 'Only conversations of this channel.' }),
        stage: filterId('"stg_won"').meta({ description: 'Only leads in this pipeline stage.' }),
      },
      { error: objectError('{"stage":"stg_won"}') },
    )
    .meta({ description: 'Only changes with all of these values are sent.' });
}

const HTTP_URL = /^https?:\/\//i;

/** The platform and the flow that made the subscription, as the dashboard shows them. */
export function subscriptionClient() {
  return z
    .strictObject(
      {
        platform: trimmedText(MAX.platform, '"n8n"').nullable().optional(),
        workflow_name: trimmedText(MAX.workflow_name, '"Leads to Slack"').nullable().optional(),
        workflow_url: trimmedText(MAX.workflow_url, '"https://n8n.example.com/workflow/1"')
          .refine(
            (value) => value === '' || (HTTP_URL.test(value) && URL.canParse(value)),
            'Not an http or https URL. Example: "https://n8n.example.com/workflow/1"',
          )
          .nullable()
          .optional(),
        mode: z.enum(['test', 'live']).nullable().optional().meta({
          description: '`test`: the subscription ends after 10 minutes.',
        }),
      },
      { error: objectError('{"platform":"n8n"}') },
    )
    .meta({ description: 'The platform and the flow that subscribe, as the dashboard shows them.' });
}

function objectError(example: string) {
  return (issue: { readonly code?: string | undefined; readonly input?: unknown }) =>
    issue.code === 'invalid_type' ? objectExpected(issue.input, example) : undefined;
}
