import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

const skip = await whyNoServer()
const title = 'an empty address and the port 0, as generated files have them, do not win over host and database'

void t.test(title, { skip }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const { hostname, port, username, password, pathname } = new URL(database.url)
  const isDefaultType = port === '' || port === '3306'
  const server = { host: hostname, user: username, password: decodeURIComponent(password), database: pathname.slice(1) }
  for (const empty of isDefaultType ? [0, '', null] : [Number(port), port]) {
    const statements: string[] = []
    const onStatement = (statement: string): void => void statements.push(statement)
    const connector = mysql({ url: '', ...server, port: empty, onStatement })
    await connector.connect?.()
    await connector.disconnect?.()
    t.equal(statements.length, 1, `with the port ${empty}`)
  }
})
