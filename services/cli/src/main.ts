import { EXIT } from './exit-codes.ts';
import { runCommand } from './run-command.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `sluice events list | head` closes the pipe early. The command continues and keeps its exit code.
  if (error.code === 'EPIPE') return;
  console.error(`sluice: Can't write to standard output: ${error.message}`);
  process.exit(EXIT.failed);
});

// Not process.exit, which would lose pending output and closing connections.
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  streams: process,
  now: Date.now,
});
