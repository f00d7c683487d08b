import { sqlite } from '@modelwire/connector-sqlite'
import { connectorTests, sqlDifferences } from '@modelwire/connector-tests'
import t from 'tap'

void t.test('the SQLite connector passes the suite', (t) =>
  connectorTests(t, {
    name: 'sqlite',
    differences: sqlDifferences,
    create: async (models) => {
      const connector = sqlite({ like: 'part' })
      await connector.migrate?.(models, { empty: true })
      return connector
    }
  })
)
