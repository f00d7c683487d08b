import { sqlite } from '@modelwire/connector-sqlite'
import { connectorTests } from '@modelwire/connector-tests'
import t from 'tap'

const skip = {
  'what is absent is told from null': 'a column has null for both',
  'null is zero in an order': 'null stands first, as the database orders it'
}

void t.test('the SQLite connector passes the suite', (t) =>
  connectorTests(t, {
    name: 'sqlite',
    skip,
    create: async (models) => {
      const connector = sqlite({ like: 'part' })
      await connector.migrate?.(models, { empty: true })
      return connector
    }
  })
)
