-- Sends requests that were made beforehand, each once, so that none is a repetition of another. It has no function
-- `response`: wrk would hand it every answer's headers and body, which costs more than sending the request does. Answers
-- of 400 and above are counted by wrk itself; nothing here answers with anything between them and 200.
--
-- Arguments: the file, where in it to begin, and how many to send (without it: on and on). When the last is written it
-- says SENT and stops; answers that are still on their way are not waited for.
local requests, at, last, said, asked = {}, 0, nil, false, false

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  while true do
    local length = file:read(8)
    if not length or #length < 8 then break end
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
  at = tonumber(args[2]) or 0
  last = args[3] and at + tonumber(args[3])
end

-- Asked of a connection that is free before all have stopped: something that nobody counts.
local NOTHING = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

function request()
  -- Before it connects, wrk asks once to see how many requests the text holds, and sends nothing.
  if not asked then
    asked = true
    return requests[1]
  end
  if at == last then
    if not said then
      said = true
      io.write('SENT\n')
      io.flush()
      wrk.thread:stop()
    end
    return NOTHING
  end
  at = at + 1
  return requests[(at - 1) % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"duration_us":%d,"p50_us":%d,"p99_us":%d,"not200":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect, errors.read, errors.write, errors.timeout))
end
