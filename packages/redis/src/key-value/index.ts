export { kvRedis, kvRedis as default, type RedisKeyValueConnector } from './kv-redis.ts'
export { type KvRedisSettings, KvRedisSettingsSchema } from './settings.ts'
