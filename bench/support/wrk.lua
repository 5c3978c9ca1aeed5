-- Sends prepared requests, each once, so that none repeats another. It has no function `response`, because wrk would
-- pass it the headers and body of every response, which costs more than sending the request. wrk counts responses of
-- 400 and above. A measured server responds with 200 or 201, or with an error.
--
-- Arguments: the file, the offset in it, and how many to send (without it: no limit). After the last it prints SENT and
-- stops without waiting for the remaining responses.
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

-- A free connection asks for a request before all have stopped. This one does not count.
local NOTHING = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

function request()
  -- Before it connects, wrk calls this once to count the requests in the text, and sends nothing.
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
