import { go } from './go.ts';
import { java } from './java.ts';
import { node } from './node.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import type { VerifySample } from './verify-sample.ts';

/** Receive the messages of a webhook subscription. */
export const VERIFY_SAMPLES: readonly [VerifySample, ...VerifySample[]] = [node, python, php, go, ruby, java];
