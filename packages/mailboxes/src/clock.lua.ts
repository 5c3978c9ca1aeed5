/** The time of Redis in milliseconds since the Unix epoch. */
export const NOW_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * A restarted Redis may have loaded a backup, and a replica that took over may have missed the last change. Both may have a
 * subscription that was paused since. So each record is valid only in the run of Redis that it was published to. If Redis
 * does not name its run, every record is valid.
 */
export const RUN_LUA = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
`;
