/**
 * Documents of a list for each round trip (MongoDB also ends a batch at 16 MiB). Hardly any list needs a second round
 * trip. With a second one, the server has to keep a cursor open for a slow reader.
 */
export const LIST_BATCH = 5000;
