import { redisStreams } from '@modelwire/redis/changes'
import { Redis } from 'ioredis'
import { whyNoServerAt } from '#src/servers.ts'
import { transportCases } from '#src/transport-cases.ts'

const url = 'redis://127.0.0.1:6379/9'

transportCases({
  name: 'Redis Streams',
  skip: await whyNoServerAt('Redis', 6379),
  make: (name, settings) => redisStreams({ url, name, ...settings }),
  async clean(name) {
    const client = new Redis(url)
    await client.del(`${name}:{db}`, `${name}:{db}:lease`)
    client.disconnect()
  }
})
