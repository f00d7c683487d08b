export { postgresql, postgresql as default, PostgresqlSettingsSchema, type PostgresqlSettings } from './postgresql.ts'
