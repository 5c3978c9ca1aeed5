-- Sends requests that were made beforehand, each once, so that none is a repetition of another.
local requests, at, not200 = {}, 0, 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  while true do
    local length = file:read(8)
    if not length or #length < 8 then break end
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
  at = tonumber(args[2]) or 0
end

function request()
  at = at + 1
  return requests[(at - 1) % #requests + 1]
end

-- wrk runs this in its worker thread, and `done` in another: the count goes through a global of the thread.
local threads = {}
function setup(thread)
  threads[#threads + 1] = thread
end

wrong = 0
function response(status)
  if status ~= 200 then wrong = wrong + 1 end
end

function done(summary, latency)
  for _, thread in ipairs(threads) do not200 = not200 + (thread:get('wrong') or 0) end
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"duration_us":%d,"p50_us":%d,"p99_us":%d,"not200":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), not200,
    errors.connect, errors.read, errors.write, errors.timeout))
end
