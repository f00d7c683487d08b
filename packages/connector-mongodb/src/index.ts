export { mongodb, mongodb as default } from './mongodb.ts'
export { type MongodbSettings, MongodbSettingsSchema } from './settings.ts'
