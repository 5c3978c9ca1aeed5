import type { ChangeKind } from '@sluice/contract/change';
import { EVENT_KINDS, type EventKind } from '@sluice/contract/event-kinds';
import { sampleChange } from '@sluice/contract/event-samples';
import type { LeadField } from '@sluice/contract/lead';
import { DEFAULT_STAGES } from '@sluice/contract/pipeline';
import { describeFields } from '../public/leads/lead-fields.ts';
import { madeUpMessage } from '../public/webhooks/made-up-message.ts';
import { type MessageField, messageFields } from './message-fields.ts';

/** One event kind, for menus and mappings of an automation platform. */
export interface KindOfContract {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The scope that real samples need. null: none. */
  readonly read_scope: string | null;
  /** The fields of a message, in their order. */
  readonly fields: readonly MessageField[];
  /** A made-up message, in the form of a delivery. */
  readonly sample: unknown;
}

/** The facts that an integration needs without asking an API server. */
export interface IntegrationContract {
  readonly event_kinds: readonly KindOfContract[];
  /** The fields of a lead of an account without custom fields. */
  readonly lead_fields: readonly LeadField[];
  /** Made-up records, as the API returns them. */
  readonly samples: Readonly<Record<'lead' | 'conversation' | 'message' | 'event', unknown>>;
}

/** The contract of the integrations, made from the schemas and samples that deliveries use. */
export function integrationContract(): IntegrationContract {
  return {
    event_kinds: EVENT_KINDS.filter(({ subscribable }) => subscribable).map(describe),
    lead_fields: describeFields({ stages: [...DEFAULT_STAGES], custom_fields: [] }),
    samples: {
      lead: recordOf('lead.updated'),
      conversation: recordOf('conversation.handoff_ended'),
      message: recordOf('conversation.message_received'),
      event: recordOf('event.updated'),
    },
  };
}

function describe(kind: EventKind): KindOfContract {
  return {
    id: kind.kind,
    name: kind.name,
    description: kind.sentence,
    read_scope: kind.readScope,
    fields: messageFields(kind),
    sample: JSON.parse(madeUpMessage(kind.kind, 'acc_sample')),
  };
}

/** The record of a sample. A message of a conversation contains its conversation only in deliveries. */
function recordOf(kind: ChangeKind): unknown {
  const { conversation: _, ...record } = sampleChange(kind).data as unknown as Record<string, unknown>;
  return record;
}
