import type { KeptRequest, MappedBy } from '@sluice/contract/delivery/delivery';
import type { AnyAction } from '@sluice/contract/delivery/groups';
import type { ImportFormat } from '@sluice/contract/event/event-fields';

/** An action that a user requests in the dashboard, or on the command line. */
export interface WantedAction {
  /** Changes an event, or a conversation if the source is a channel. */
  readonly action: AnyAction;
  /** Set for a row of an imported file. Imports have no rate limit (docs/limits.md). */
  readonly imported?: ImportedRow;
  /** Set for an action that undoes a row of an imported file. It has no rate limit either. */
  readonly undone?: Omit<ImportedRow, 'format'>;
  /** Reprocessing has no rate limit: the requests were sent before, and the backlog limits what waits. */
  readonly reprocess_of?: string;
  /** Has no effect if the delivery of `reprocess_of` was reprocessed this way within the last hour. */
  readonly once?: boolean;
  /** Set for an event that is deleted with its source: 16 hex digits that identify it. It has no rate limit. */
  readonly swept?: string;
  readonly request?: KeptRequest;
  /** Set if a mapping has made the action of the request's body. */
  readonly mapped?: MappedBy;
}

/** Identifies a row. A row that is sent again keeps its place in the order, and so has one effect. */
export interface ImportedRow {
  readonly import_id: string;
  readonly format: ImportFormat;
  /** 16 hex digits, unique within the import. */
  readonly digest: string;
}
