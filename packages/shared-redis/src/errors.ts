/** There is no connection to Redis. The shared state makes an error of its own of it, which tells clients nothing of this one. */
export class RedisUnreachable extends Error {
  override readonly name = 'RedisUnreachable'
}
