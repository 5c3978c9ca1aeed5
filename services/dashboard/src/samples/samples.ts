import { curl } from './curl.ts';
import { go } from './go.ts';
import { node } from './node.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import type { Sample } from './sample.ts';
import { sluice } from './sluice-command.ts';

/** Send an event to a source. */
export const SAMPLES: readonly [Sample, ...Sample[]] = [curl, node, python, php, go, ruby, sluice];

/** Send any other body, such as a message to a channel. */
export const PLAIN_SAMPLES: readonly [Sample, ...Sample[]] = [curl, node, python, php, go, ruby];
