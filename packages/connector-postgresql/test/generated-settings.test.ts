import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

void t.test(
  'an empty address and the port 0, as generated files have them, do not win over host and database',
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    const { hostname, port, username, password, pathname } = new URL(database.url)
    const isDefaultType = port === '' || port === '5432'
    const server = {
      host: hostname,
      user: username,
      password: decodeURIComponent(password),
      database: pathname.slice(1)
    }
    for (const empty of isDefaultType ? [0, '', null] : [Number(port), port]) {
      const statements: string[] = []
      const onStatement = (statement: string): void => void statements.push(statement)
      const connector = postgresql({ url: '', ...server, port: empty, onStatement })
      await connector.connect?.()
      await connector.disconnect?.()
      t.equal(statements.length, 1, `with the port ${empty}`)
    }
  }
)
