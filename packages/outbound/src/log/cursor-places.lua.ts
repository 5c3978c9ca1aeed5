import { KEY } from '../queue/keys.lua.ts';
import { CURSOR_LUA } from './turns.lua.ts';

/**
 * KEYS[1] cursors   ARGV[1] prefix  [2] account  [3…] subscriptions
 * Returns the last number of the log that may be read, or '' if this run of Redis does not know it, and of each subscription false or {record,
 * cursor or '', 1 if nothing has failed, ms of the lease of a turn that runs or -1, when its cursor is due or ''}.
 */
export const CURSOR_PLACES = `${CURSOR_LUA}
local account = ARGV[2]
local out = {call('HGET', ${KEY.accountLog('account')}, 'run') == run and log_of(account)[1] or ''}
for n = 3, #ARGV do
  local id = ARGV[n]
  local f = call('HMGET', ${KEY.mailbox('id')}, 'run', 'stops', 'ends', 'account', 'record', 'turning', 'cursor', 'calm', 'lease_until')
  if not f[4] then out[n - 1] = false
  else
    local score = call('ZSCORE', KEYS[1], id)
    local is_turning = f[6] == '1' and score and tonumber(score) > now
    local lease_ms = is_turning and math.max(0, (tonumber(f[9]) or 0) - now) or -1
    local due = not is_turning and not stop_of(f) and score or ''
    out[n - 1] = {f[5], f[7] or '', f[8] == '1' and 1 or 0, lease_ms, due}
  end
end
return out
`;

/**
 * KEYS[1] cursors   ARGV[1] prefix  [2] the first  [3] the last of cursors that is looked at  [4] how many examples
 * Returns how many were looked at, how many of them are subscriptions whose receiver fails, those that may have rows that wait, how many have
 * changes behind their cursors, and examples of these: of each {account, record, cursor or '', the last number that may be read}. It leaves
 * out paused ones, streams and replies: these have no receiver that an operator could ask.
 */
export const CURSORS_BEHIND = `${CURSOR_LUA}
local ids, most = call('ZRANGE', KEYS[1], ARGV[2], ARGV[3]), tonumber(ARGV[4])
local failing, with_rows, behind, examples = 0, {}, 0, {}
for _, id in ipairs(ids) do
  local f = call('HMGET', ${KEY.mailbox('id')}, 'run', 'stops', 'ends', 'account', 'record', 'cursor', 'calm', 'failing')
  local record = f[5] or ''
  local function has(text) return string.find(record, text, 1, true) end
  if f[4] and not stop_of(f) and has('"kind":"webhook"') and has('"ephemeral_until":null') then
    if f[8] == '1' and has('"paused":null') then failing = failing + 1 end
    if f[7] ~= '1' then with_rows[#with_rows + 1] = id end
    local last = log_of(f[4])[1]
    if tonumber(f[6] or 0) < tonumber(last) then
      behind = behind + 1
      if #examples < most then examples[#examples + 1] = {f[4], record, f[6] or '', last} end
    end
  end
end
return {#ids, failing, with_rows, behind, examples}
`;
