import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';

const HELP = `
Workers and API servers migrate the database when they start. If migrations take long, run this command first, while the
services of the previous version are still running (docs/operations.md). A second run changes nothing.`;

/** sluice migrate */
export function addMigrate(parent: Command, context: Context): void {
  const command = parent
    .command('migrate')
    .description('migrate the database to this version of Sluice')
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async ({ stack, output }) => {
    const migrations: string[] = [];
    const store = await stack.store();
    const { status, version } = await store.migrate({
      onMigration: ({ name, version: next }) => {
        migrations.push(name);
        output.note(`Migrating to version ${next}: ${name}`);
      },
    });
    output.record({ status, version, migrations });
  });
}
