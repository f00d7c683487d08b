// Starts the application folder beside this file with Modelwire on a database.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from '@modelwire/boot'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'

/** A running server: its `url`, `migrate`, which makes the tables anew, and `close`. */
export async function startModelwire(settings) {
  const appDir = mkdtempSync(join(tmpdir(), 'modelwire-exchange-'))
  cpSync(join(import.meta.dirname, 'app'), appDir, { recursive: true })
  writeFileSync(join(appDir, 'server/datasources.json'), JSON.stringify({ db: { name: 'db', ...settings } }))
  const connectors = { postgresql, mysql, sqlite3: sqlite }
  const server = await createServer({ dir: appDir, env: 'development', logger: false, connectors })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `${url}/api`,
    migrate: async () => {
      const { connector } = server.models.dataSources.get('db')
      const types = server.models.names().map((name) => server.models.typeOf(name))
      await connector.migrate(
        types.filter((type) => type.dataSource?.connector === connector),
        { empty: true }
      )
    },
    close: async () => {
      await server.close()
      rmSync(appDir, { recursive: true, force: true })
    }
  }
}
