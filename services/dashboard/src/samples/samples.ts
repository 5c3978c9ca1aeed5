import { curl } from './curl.ts';
import { go } from './go.ts';
import { node } from './node.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import type { Sample } from './sample.ts';
import { sluice } from './sluice-command.ts';

export const SAMPLES: readonly [Sample, ...Sample[]] = [curl, node, python, php, go, ruby, sluice];
