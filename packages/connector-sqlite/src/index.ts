export { sqlite, sqlite as default, SqliteSettingsSchema, type SqliteSettings } from './sqlite.ts'
