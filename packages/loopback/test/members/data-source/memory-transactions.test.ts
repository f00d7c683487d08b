import t from 'tap'
import { bootApp } from '../../make-app.ts'

async function run(t: Parameters<typeof bootApp>[0], settings: object, body: string): Promise<unknown> {
  const script = `module.exports = async app => {
    const { Thing } = app.models, { db } = app.dataSources
    const code = async promise => { try { await promise; return 'fine' } catch (error) { return error.code } }
    app.set('seen', await (async () => { ${body} })())
  }`
  const files = {
    'server/datasources.json': { db: { connector: 'memory', ...settings } },
    'server/model-config.json': { _meta: { sources: ['../common/models'] }, Thing: { dataSource: 'db', public: true } },
    'server/boot/try.js': script
  }
  return (await bootApp(t, files)).loopback.get('seen')
}

void t.test('scripts get no transaction of memory, as in LoopBack', async (t) => {
  const script = `return [await code(Thing.beginTransaction({})), await code(db.beginTransaction({})),
    await code(db.transaction(async () => {}))]`
  t.same(await run(t, {}, script), ['NOT_IMPLEMENTED', 'NOT_IMPLEMENTED', 'NOT_IMPLEMENTED'])
})

void t.test('with the setting they do', async (t) => {
  const script = `const tx = await Thing.beginTransaction({ isolationLevel: 'READ COMMITTED' })
    const heard = []
    for (const event of ['before commit', 'after commit']) tx.observe(event, async () => { heard.push(event) })
    await Thing.create({ label: 'a' }, { transaction: tx })
    const beside = await Thing.count()
    await tx.commit()
    const undone = await db.beginTransaction({})
    await Thing.create({ label: 'b' }, { transaction: undone })
    await undone.rollback()
    const late = await Thing.beginTransaction({ timeout: 500 })
    const ended = new Promise(resolve => late.observe('after rollback', async () => resolve()))
    await Thing.destroyAll({}, { transaction: late })
    await ended
    const failed = await code(db.transaction(async () => { await Thing.destroyAll(); throw Object.assign(new Error('no'), { code: 'NO' }) }))
    return [beside, heard, await Thing.count(), failed, await code(late.commit()), await code(db.beginTransaction('quantum'))]`
  const expected = [0, ['before commit', 'after commit'], 1, 'NO', 'TRANSACTION_NOT_ACTIVE', 'ISOLATION_LEVEL_UNKNOWN']
  t.same(await run(t, { transactions: true }, script), expected)
})
