import { type Connector, readSettings } from '@modelwire/core/connector'
import { MongodbConnector } from './mongodb-connector.ts'
import { MongodbSettingsSchema } from './settings.ts'

/**
 * Makes a connector to a MongoDB database.
 * @throws {InvalidOption} a setting has the wrong type
 */
export function mongodb(settings: Readonly<Record<string, unknown>> = {}): Connector {
  return new MongodbConnector(readSettings(MongodbSettingsSchema, settings, 'MongoDB'), settings)
}
