/** Sluice sends a message again before this many others have arrived. */
const REMEMBERED = 1000;

/** Remembers an id in the context of a node. Returns whether it was there before. */
function wasSeen(context, id) {
  const seen = context.get('seen') ?? [];
  if (seen.includes(id)) return true;
  context.set('seen', [...seen, id].slice(-REMEMBERED));
  return false;
}

module.exports = { wasSeen };
