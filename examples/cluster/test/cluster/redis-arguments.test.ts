import t from 'tap'
import { redisArguments } from '#src/cluster/redis-arguments.ts'

t.test('Redis listens at this machine alone, and writes no file', async (t) => {
  const text = redisArguments(9114).join(' ')
  t.match(text, '--bind 127.0.0.1 --port 9114')
  t.match(text, '--save  --appendonly no')
})

t.test('no counter goes before its time', async (t) => {
  t.match(redisArguments(1).join(' '), '--maxmemory-policy noeviction')
})
