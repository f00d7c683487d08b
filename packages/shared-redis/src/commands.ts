import type { Hits } from '@modelwire/core/plugin'
import type { Redis } from 'ioredis'

/** KEYS: the key. ARGV: whether there is an old value, that one, whether there is a new one, that one, milliseconds that it lives. */
const swapScript = `
local value = redis.call('get', KEYS[1])
if ARGV[1] == '1' then
  if value ~= ARGV[2] then return 0 end
elseif value then
  return 0
end
if ARGV[3] == '1' then
  redis.call('set', KEYS[1], ARGV[4], 'PX', ARGV[5])
elseif value then
  redis.call('del', KEYS[1])
end
return 1
`

/** KEYS: the key. ARGV: milliseconds of the window. */
const countScript = `
local count = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if count == 1 or left < 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }
`

const isThere = (value: string | undefined): '0' | '1' => (value === undefined ? '0' : '1')

/** Redis takes whole milliseconds, at least one. */
const milliseconds = (time: number): number => Math.max(1, Math.ceil(time))

/** Puts one value in the place of another one, in one step. */
export async function swap(
  client: Redis,
  key: string,
  [from, to]: readonly [string | undefined, string | undefined],
  lifetime: number
): Promise<boolean> {
  const values = [isThere(from), from ?? '', isThere(to), to ?? '', milliseconds(lifetime)]
  return (await client.eval(swapScript, 1, key, ...values)) === 1
}

/** Counts one more within a window, in one step. */
export async function count(client: Redis, key: string, window: number): Promise<Hits> {
  // The script gives two numbers.
  const [hits, left] = (await client.eval(countScript, 1, key, milliseconds(window))) as [number, number]
  return { count: hits, left }
}
