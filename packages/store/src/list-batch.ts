/**
 * How many documents of a list come with one round trip (a batch also ends at MongoDB's 16 MiB). Large enough that
 * hardly any list needs a second one, and with it a cursor that the server must keep for as long as the reader takes.
 */
export const LIST_BATCH = 5000;
