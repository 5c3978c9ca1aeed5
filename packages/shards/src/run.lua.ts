/**
 * Lua: `run` names the history of the data of this Redis; '' if Redis does not name it. A restarted Redis may have loaded a backup,
 * and a replica that took over may have missed the last writes. So what MongoDB knows better is valid only in the run that it was
 * published to. The replication id changes in both cases. The id of the process (`run_id`) does not: a master that was demoted and
 * promoted again may have lost writes meanwhile. Some services that resemble Redis name only that one.
 */
export const RUN_LUA = `
local replication = redis.pcall('INFO', 'replication')
local run = type(replication) == 'string' and string.match(replication, 'master_replid:(%x+)')
if not run then
  local server = redis.pcall('INFO', 'server')
  run = type(server) == 'string' and string.match(server, 'run_id:(%x+)') or ''
end
`;
