export { kvRedis, kvRedis as default, type KvRedisSettings, type RedisKeyValueConnector } from './kv-redis.ts'
