import { sqlite } from '@modelwire/connector-sqlite'
import type { Connector, Change } from '@modelwire/core/connector'
import { takeTime, until } from '@modelwire/test-waits'
import t from 'tap'
import { openApp } from './open-app.ts'

/** A database that is slow to say where its log ends. */
function slowDatabase(milliseconds: number): Connector {
  const connector = sqlite({ file: ':memory:' })
  const openLog = connector.changeLog?.bind(connector)
  connector.changeLog = (models) => {
    const log = openLog?.(models)
    if (log === undefined) throw new Error('SQLite has a log')
    const latest = log.latest.bind(log)
    log.latest = async () => {
      await takeTime(milliseconds, 'the database is slow')
      return latest()
    }
    return log
  }
  return connector
}

t.test('an application that is ready hears of every change from then on', async (t) => {
  const { models } = await openApp(t, { connector: slowDatabase(200) })
  const heard: Change[] = []
  models.changes.subscribe('Item', (change) => heard.push(change))
  await models.get('Item').create({ name: 'first' })
  await until(() => heard.length > 0, 'the change to be heard of')
  t.match(heard, [{ kind: 'create', after: { name: 'first' } }])
})

t.test(
  'an application whose database does not say so is ready all the same, and hears of what comes later',
  async (t) => {
    const { models } = await openApp(t, { connector: slowDatabase(4000) })
    t.equal(models.changeLogs.get('db')?.heardTo, '')
    await models.changeLogs.get('db')?.heard()
    const heard: Change[] = []
    models.changes.subscribe('Item', (change) => heard.push(change))
    await models.get('Item').create({ name: 'later' })
    await until(() => heard.length > 0, 'the change to be heard of')
    t.match(heard, [{ after: { name: 'later' } }])
  }
)
