/** Shortest password that is taken. */
export const MIN_PASSWORD_LENGTH = 10;

/** Most deliveries that are reprocessed at once. */
export const REPROCESS_LIMIT = 1000;

/** Most rows of a file that is imported, and most bytes of it. */
export const IMPORT_MAX_ROWS = 10_000;
export const IMPORT_MAX_BYTES = 5 * 1024 * 1024;

/** Most rows of it in one request, whose body also has to fit into 1 MiB. */
export const IMPORT_BATCH_ROWS = 1000;

/** Most of a cell that is sent: more than any field may hold, so that the parser says that it is too long. */
export const IMPORT_CELL_LENGTH = 20_001;

/** Most events that are named of those which an undo leaves alone. */
export const UNDO_LEFT_SHOWN = 100;
