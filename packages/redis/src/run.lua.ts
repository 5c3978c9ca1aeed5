/**
 * Lua: names the run of this Redis. A restarted Redis may have loaded a backup, and a replica that took over may have missed the last
 * writes. So what MongoDB knows better is valid only in the run that it was published to.
 *
 *   run      the id of the process (`run_id`), or ''. Version 0.1.0 compares it alone, so it is stored as 0.1.0 stores it
 *   history  the replication id (`master_replid`), or ''. A master that was demoted and promoted again may have lost writes. It is the
 *            same process, but has another replication id. Some services that resemble Redis name none
 *   run_name both in one text, which processes keep and give back
 *
 * A hash in Redis has the fields `run` and `history`. Version 0.1.0 leaves `history` unchanged. So processes of both versions accept
 * what either has published. Only a source needs a history to be valid (admission: source-directory.lua.ts): its former secret must
 * never become valid again.
 */
export const RUN_LUA = `
local function named_in(section, pattern)
  local info = redis.pcall('INFO', section)
  return type(info) == 'string' and string.match(info, pattern) or ''
end
local run, history = named_in('server', 'run_id:(%x+)'), named_in('replication', 'master_replid:(%x+)')
local run_name = history == '' and run or run .. ':' .. history
-- Whether something was published to this run. its_history: false if 0.1.0 has published it.
local function is_this_run(its_run, its_history)
  return its_run == run and (not its_history or history == '' or its_history == history)
end
`;
