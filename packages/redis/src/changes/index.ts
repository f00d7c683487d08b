export { redisStreams, redisStreams as default } from './redis-streams.ts'
export { type RedisStreamsSettings, RedisStreamsSettingsSchema } from './settings.ts'
