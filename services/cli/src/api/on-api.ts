import type { Command } from 'commander';
import type { CommonOptions, Context } from '../context.ts';
import { createOutput, type Output } from '../output.ts';
import { type ApiAccess, type ApiOptions, KEY_OPTION, readApiAccess, URL_OPTION } from './api-access.ts';
import { type CallApi, createCallApi } from './call-api.ts';

export interface ApiJob<O> {
  readonly access: ApiAccess;
  readonly callApi: CallApi;
  readonly output: Output;
  readonly options: O;
  readonly context: Context;
}

/** Adds the options of a command that uses the public API with a key, and runs it. It works from any machine. */
export function onApi<O extends CommonOptions & ApiOptions>(
  context: Context,
  command: Command,
  work: (job: ApiJob<O>, ...positional: string[]) => Promise<void>,
): void {
  command
    .option(...URL_OPTION)
    .option(...KEY_OPTION)
    .option('--json', 'print one JSON object per line')
    .action(async () => {
      const options = command.opts<O>();
      const output = createOutput(context.streams, { json: options.json === true });
      const access = await readApiAccess(context, options);
      const callApi = createCallApi(access);
      await work({ access, callApi, output, options, context }, ...command.args);
    });
}
