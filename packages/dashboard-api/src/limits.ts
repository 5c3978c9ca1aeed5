/** Minimum length of a password, in characters. */
export const MIN_PASSWORD_LENGTH = 10;

/** Maximum number of deliveries per reprocessing request. */
export const REPROCESS_LIMIT = 1000;

/** Maximum rows and bytes of an imported file. */
export const IMPORT_MAX_ROWS = 10_000;
export const IMPORT_MAX_BYTES = 5 * 1024 * 1024;

/** Maximum rows per import request. The request body must also fit into 1 MiB. */
export const IMPORT_BATCH_ROWS = 1000;

/** Longest UID of a calendar that is remembered, and the most UIDs of one request. */
export const UID_LENGTH = 255;
export const KNOWN_UIDS = 1000;

/** The most events of a calendar: each UID may be one that was moved. */
export const CALENDAR_EVENTS = 2 * IMPORT_MAX_ROWS;
/** How many of the events that are gone from a calendar are named. */
export const GONE_SHOWN = 5;

/** Longest cell that is sent. It exceeds every field's limit, so the parser can report that the value is too long. */
export const IMPORT_CELL_LENGTH = 20_001;

/** Maximum number of kept events that an undo lists. */
export const UNDO_LEFT_SHOWN = 100;

/** Maximum rows per import request of leads. Each row is one write, which takes a few milliseconds. */
export const LEAD_IMPORT_BATCH_ROWS = 200;

/** Leads of a stage are counted up to this number, because counting all would be slow. */
export const LEADS_COUNTED = 10_000;

/** Longest reply to a conversation, in Unicode code points. */
export const REPLY_MAX = 10_000;
