export { mysql, mysql as default, MysqlSettingsSchema, type MysqlSettings } from './mysql.ts'
