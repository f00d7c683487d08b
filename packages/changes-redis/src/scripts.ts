/** Takes or renews a lease, and gives it as it is. Keys: lease. Arguments: holder, milliseconds. */
export const leaseScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`

/** Gives a lease back. Keys: lease. Arguments: holder. */
export const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

/** The mark of a stream's end: the highest id that it ever had. */
const markFunction = `
local function mark()
  if redis.call('EXISTS', KEYS[1]) == 0 then return '' end
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for at = 1, #info, 2 do if info[at] == 'last-generated-id' then return info[at + 1] end end
  return ''
end`

/** The mark of a stream's end, and its last entry. Keys: stream. */
export const tailScript = `${markFunction}
return {mark(), redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)}`

/**
 * Appends entries where the lease is the holder's and the end is where the holder saw it, all or none; gives the new mark. An id is the
 * place of its entry: Redis itself refuses one that is not behind the last one. A stream that is emptied begins anew: its ids may be
 * lower ones.
 * Keys: stream, lease. Arguments: holder, mark, whether it is emptied, the longest length, the channel, and for each entry its id, the
 * number of its fields and values, and these.
 */
export const appendScript = `${markFunction}
if redis.call('GET', KEYS[2]) ~= ARGV[1] or mark() ~= ARGV[2] then return false end
if ARGV[3] == '1' or redis.call('XLEN', KEYS[1]) == 0 then redis.call('DEL', KEYS[1]) end
local at = 6
while at <= #ARGV do
  local count = tonumber(ARGV[at + 1])
  local command = {'XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], ARGV[at]}
  for part = 1, count do command[6 + part] = ARGV[at + 1 + part] end
  redis.call(unpack(command))
  at = at + 2 + count
end
redis.call('PUBLISH', ARGV[5], '')
return mark()`
