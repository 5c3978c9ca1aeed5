import { resolve } from 'node:path';
import { PortRefusedError } from '@sluice/runtime/http/listen';
import { createReleasers } from '@sluice/runtime/process/releasers';
import { stopOnSignal } from '@sluice/runtime/process/shutdown';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { printableLines } from '@sluice/runtime/telemetry/printable';
import { banner } from './banner.ts';
import { launcherConfig } from './config.ts';
import { firstSteps } from './first-steps.ts';
import { launch } from './launch.ts';
import { type LaunchContext, LaunchError } from './launch-context.ts';
import { createOutput, servicesLogPath } from './output.ts';
import { forceOnSecondInterrupt, uncleanStop, watchNpm } from './stop-reasons.ts';

/** The stages stop one by one: API, ingress, workers, two stores. */
const STAGES = 5;

const config = launcherConfig();
const logPath = servicesLogPath(config.DATA_DIR);
const output = createOutput({
  write: (text) => process.stdout.write(text),
  tty: process.stdout.isTTY === true,
  // A configured level applies to the terminal too. Otherwise it shows warnings and errors, and the file has the rest.
  terminalLevel: process.env.LOG_LEVEL ? config.LOG_LEVEL : 'warn',
  logPath,
});
const logger = createLogger({
  service: 'launcher',
  level: config.LOG_LEVEL,
  destination: { write: (line) => output.line('launcher', line.trimEnd()) },
});

// Do not stop when the terminal is gone or a pipe is closed: the log file has everything.
process.stdout.on('error', () => {});

let stopping = false;
const killers: (() => void)[] = [];
const releasers = createReleasers({ logger });
const stop = stopOnSignal({
  releasers,
  logger,
  graceMs: STAGES * (config.SHUTDOWN_GRACE_SECONDS + 5) * 1000,
  onStop: (reason) => {
    stopping = true;
    // A start that is refused at once has nothing to stop.
    if (killers.length > 0)
      output.say(`stopping (${reason}): API and ingress, then workers, dispatchers and stores …`);
  },
  exit: (code, report) => {
    if (code === 0) output.say('stopped; the next npm start continues with the same data');
    else if (report !== undefined && !report.clean) output.say(uncleanStop(report));
    process.exit(code);
  },
});
const context: LaunchContext = {
  config,
  output,
  logger,
  releasers,
  killers,
  unlessStopping: () => {
    if (stopping) throw new LaunchError('stopped while starting');
  },
  isStopping: () => stopping,
  onBadConfig: (name) => {
    output.say(`${name} refuses to start; see above`);
    void stop(`${name} refuses to start`, true);
  },
};
forceOnSecondInterrupt({ killers, say: output.say });
watchNpm({ onGone: () => void stop('npm is gone') });

try {
  const launched = await launch(context);
  process.on('SIGUSR2', () => {
    for (const replicas of Object.values(launched.services)) replicas.replace();
  });
  const { demo, ownerLink } = await firstSteps(context, launched);
  context.unlessStopping();
  const ready = banner({
    demo,
    dashboard: { url: launched.apiUrl, ownerLink },
    cwd: process.cwd(),
    now: Date.now(),
    logPath,
    dataDir: resolve(config.DATA_DIR),
  });
  process.stdout.write(printableLines(ready));
} catch (error) {
  const expected = error instanceof LaunchError || error instanceof PortRefusedError;
  // A stop during the start makes the start fail with some error, which is not worth reporting.
  if (!stopping) output.say(expected ? error.message : `cannot start: ${(error as Error).stack}`);
  await stop('start failed', true);
}
