export { redisState, redisState as default, type RedisStateSettings, RedisStateSettingsSchema } from './redis-state.ts'
