export { redisState, redisState as default } from './redis-state.ts'
export { type RedisStateSettings, RedisStateSettingsSchema } from './settings.ts'
