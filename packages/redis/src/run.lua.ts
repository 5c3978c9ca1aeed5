/**
 * Lua: names the run of this Redis. A restarted Redis may have loaded a backup, and a replica that took over may have missed the last
 * writes. So what MongoDB knows better is valid only in the run that it was published to: its hash has the field `run`.
 *
 *   process  the id of the process (`run_id`), or ''
 *   history  the replication id (`master_replid`), or ''. A master that was demoted and promoted again may have lost writes. It is the
 *            same process, but has another replication id. Some services that resemble Redis name none
 *   run      both in one text
 */
export const RUN_LUA = `
local function named_in(section, pattern)
  local info = redis.pcall('INFO', section)
  return type(info) == 'string' and string.match(info, pattern) or ''
end
local process, history = named_in('server', 'run_id:(%x+)'), named_in('replication', 'master_replid:(%x+)')
local run = history == '' and process or process .. ':' .. history
`;
