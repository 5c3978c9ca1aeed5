/**
 * Words and constructions that readers stumble over, with what to write instead. Each miss counts, so
 * a pattern leaves out the uses that are ordinary English ("no more than").
 */
export const WORDS = [
  avoid('whoever', 'whoever|whomever|whosoever', 'name the reader: the sender, the worker, the caller'),
  avoid('whatever it is', 'whatever (?:it|that) (?:is|was)(?! \\w+ed)', 'drop it, or list the cases'),
  avoid('anew', 'anew', 'again; for a page: reload'),
  avoid('be it', 'be it', 'whether … or …'),
  avoid('told of', 'told of', 'notified of, passed'),
  avoid('came of', '(?:came|comes|come|coming) of', 'resulted from'),
  avoid('by itself', 'by (?:itself|themselves)', 'automatically; alone'),
  avoid('of its own', 'of (?:its|their|our) own', 'its own X; a separate X'),
  avoid('none of', 'none of', 'no X; not a'),
  avoid('in turn', 'in turn', 'say what alternates'),
  avoid('for good', 'for good(?! reasons?| measure)', 'permanently'),
  avoid('at the least', 'at the (?:very )?least', 'at least'),
  avoid('at hand', 'at hand', 'available'),
  avoid('somebody', 'somebody', 'someone; better: the user, the admin'),
  avoid('no more', 'no more(?! than)', 'no longer; no further X'),
  avoid('so long', 'so long(?! as| that)', 'how long …; for that time'),
  avoid(
    'as it is',
    '(?<!(?:soon|long|far|much|often|well) )as (?:it is|they are|it stands|they stand)',
    'unchanged; as stored',
  ),
  avoid('nor is', 'nor (?:is|are|was|were|has|have|does|do|did|can|may|must|will)', 'and … not'),
];

/** Words that are right in some places. They are listed on request and never counted. */
export const HINTS = [
  avoid('hold', 'holds?', 'is true; contains'),
  avoid('say', 'says?|said', 'states; returns'),
  avoid('tell', 'tells?|told(?! of)', 'reports'),
  avoid('take', 'takes?|taken|took', 'accepts, reads, processes, needs'),
  avoid('way', 'ways?', 'path'),
  avoid('refused', 'refuses?|refused|refusals?', 'rejected'),
  avoid(
    'what is X is',
    'what (?:is|are|was|were|has|comes|goes)(?: [\\w-]+){1,4} (?:is|are|was|were|has)',
    'name X',
  ),
];

const OPENERS = [
  'Of',
  'As',
  'Where',
  'What',
  'Nor',
  'Which',
  'Who',
  'Whose',
  'Whom',
  'Than',
  'But',
  'And',
  'So (?:many|much|long|often|soon|far|few|that)',
  'That (?:of|it|they|the|what|a|an|this|[A-Z]\\w+)',
];

/** The start of a line of a comment that most likely opens with a clause instead of a subject. */
export const FRAGMENT = new RegExp(`^(?:${OPENERS.join('|')})\\b`);

/** The same at the start of a sentence inside a line. */
export const FRAGMENT_INSIDE = {
  name: 'fragment',
  instead: 'a sentence with a subject and a verb',
  pattern: new RegExp(`(?<=[.!?] )(?:${OPENERS.join('|')})\\b`, 'g'),
};

/** The longest sentence of a page that is not listed, in words. */
export const LONGEST_SENTENCE = 25;

function avoid(name, pattern, instead) {
  return { name, instead, pattern: new RegExp(`(?<![$\\w])(?:${pattern.replaceAll(' ', '\\s+')})\\b`, 'gi') };
}
