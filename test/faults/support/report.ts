/** What one test did and saw, for the table at the end of a run. */
export interface Row {
  readonly test: string;
  readonly done: string;
  readonly times: number;
  readonly asked: string;
  readonly seen: string;
}

const rows: Row[] = [];

/** Adds a row to the table that is printed when the process of the tests ends. */
export function tell(row: Row): void {
  if (rows.length === 0)
    process.once('exit', () => {
      for (const { test, done, times, asked, seen } of rows)
        process.stdout.write(`${test} | ${times} x ${done} | asked: ${asked} | seen: ${seen}\n`);
    });
  rows.push(row);
}
