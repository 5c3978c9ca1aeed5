/** Shortest password that is taken. */
export const MIN_PASSWORD_LENGTH = 10;

/** Most deliveries that are reprocessed at once. */
export const REPROCESS_LIMIT = 1000;
